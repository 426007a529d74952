"""Tests for hookwright/answers."""
