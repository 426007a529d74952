"""Tests of lesson_search/files."""
