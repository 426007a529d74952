"""Tests for how agents discover documentation databases."""
