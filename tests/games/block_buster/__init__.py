"""Tests of Block Buster."""
