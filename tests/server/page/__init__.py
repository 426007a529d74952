"""Tests of the lesson server's page."""
