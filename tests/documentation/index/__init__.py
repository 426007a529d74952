"""Tests of hookwright_documentation.index."""
