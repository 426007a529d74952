"""Tests of hookwright/answers."""
