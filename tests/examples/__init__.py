"""Tests for the examples."""
