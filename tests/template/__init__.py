"""Tests of the template and of what it renders."""
