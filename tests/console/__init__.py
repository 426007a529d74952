"""Tests of hookwright_console."""
