"""Tests of hookwright/discovery."""
