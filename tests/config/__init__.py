"""Tests of the wiring: settings of each shape, doors, errors, caches, the server."""
