"""Tests of the games, as the folders of `games`."""
