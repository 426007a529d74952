"""Tests of hookwright/cli."""
