"""Tests of BlockYou!."""
