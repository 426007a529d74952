"""Tests for hookwright/clients."""
