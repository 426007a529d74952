"""Tests for hookwright_console/files."""
