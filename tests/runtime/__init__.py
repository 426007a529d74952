"""Tests for the code shared by the hooks."""
