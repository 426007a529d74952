"""Tests of the lesson server's page in a real browser."""
