"""Tests of lesson_search/background."""
