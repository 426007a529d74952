"""Tests of how agents find documentation databases."""
