"""Tests for hookwright/discovery."""
