"""Tests of hookwright/stack."""
