"""Tests of hookwright/simulate."""
