"""Tests for hookwright/cli."""
