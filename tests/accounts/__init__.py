"""Tests of the people: signing up, in and out, names, settings."""
