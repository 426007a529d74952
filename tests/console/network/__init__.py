"""Tests for hookwright_console/network."""
