"""Tests of hookwright_console/network."""
