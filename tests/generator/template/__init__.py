"""Tests for hookwright/template."""
