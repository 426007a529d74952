"""Tests of hookwright/patterns."""
