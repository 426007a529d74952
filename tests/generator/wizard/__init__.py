"""Tests of hookwright/wizard."""
