"""The games, the contract they keep, and the matches played on them."""
