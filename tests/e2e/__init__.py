"""Tests with the real clients."""
