"""Tests of the server of documentation."""
