"""Tests of hookwright/catalogues."""
