"""Tests for hookwright/wizard."""
