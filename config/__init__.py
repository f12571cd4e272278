"""Wiring: settings, urls and the two doors (pages and sockets). No logic."""
