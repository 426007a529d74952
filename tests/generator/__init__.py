"""Tests for the `hookwright` command line, one package per folder."""
