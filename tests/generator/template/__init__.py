"""Tests of hookwright/project."""
