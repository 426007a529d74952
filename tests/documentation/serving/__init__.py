"""Tests of the documentation server."""
