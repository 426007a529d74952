"""Tests of hookwright_documentation."""
