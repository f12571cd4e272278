"""Bots of M on which tests can rely, also to fail; the rest is M itself, and only tests play it."""
