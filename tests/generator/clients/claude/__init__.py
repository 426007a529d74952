"""Tests for hookwright/clients/claude."""
