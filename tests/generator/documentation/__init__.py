"""Tests for the discovery of documentation databases by agents."""
