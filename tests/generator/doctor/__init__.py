"""Tests for hookwright/doctor."""
