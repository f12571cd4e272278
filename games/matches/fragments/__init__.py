"""Draws what is live, for pages and for pushes: the only place that renders live HTML."""
