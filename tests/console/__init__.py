"""Tests for hookwright_console."""
