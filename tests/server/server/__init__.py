"""Tests of lesson_search/server."""
