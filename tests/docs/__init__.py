"""Tests of what writes the documentation."""
