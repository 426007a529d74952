"""Tests for hookwright/catalogues."""
