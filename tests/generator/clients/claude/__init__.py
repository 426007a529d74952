"""Tests of hookwright/clients/claude."""
