"""M, the game: tiles with four impossible figures, hidden hands, and scoring rounds. Rules: docs/rules/m.md."""
