"""Tests of lesson_search/cli."""
