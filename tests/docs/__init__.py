"""Tests for the documentation generators."""
