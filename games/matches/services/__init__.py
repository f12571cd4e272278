"""The writing side: one file a use case. Nothing else changes a match."""
