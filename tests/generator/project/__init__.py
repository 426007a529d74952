"""Tests for hookwright/project."""
