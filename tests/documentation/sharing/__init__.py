"""Tests of sharing documentation databases."""
