"""Tests for the template and its rendered files."""
