"""Measurements of what must stay cheap; run by hand, never timed by a test."""
