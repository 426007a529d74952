"""Tests of hookwright/web."""
