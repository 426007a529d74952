"""Tests of the documentation crawler."""
