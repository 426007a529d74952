"""Tests for hookwright/simulate."""
