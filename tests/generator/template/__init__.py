"""Tests of hookwright/template."""
