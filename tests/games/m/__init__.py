"""Tests of M."""
