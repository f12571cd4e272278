"""BlockYou!, the game: cards on a shared area, fingers that block, all at once. Rules: docs/rules/blockyou.md."""
