"""Tests of how documentation databases are shared."""
