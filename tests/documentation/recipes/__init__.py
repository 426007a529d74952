"""Tests of hookwright/recipes."""
