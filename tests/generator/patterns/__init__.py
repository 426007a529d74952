"""Tests for hookwright/patterns."""
