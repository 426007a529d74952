"""Tests of the hooks' code."""
