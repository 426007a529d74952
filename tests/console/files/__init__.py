"""Tests of hookwright_console/files."""
