"""Tests of the site as people meet it: the real server, real Chromium, and nothing but clicks, taps and keys."""
