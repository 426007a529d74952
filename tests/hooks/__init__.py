"""Tests for each hook's code."""
