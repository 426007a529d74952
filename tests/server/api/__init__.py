"""Tests of lesson_search/api."""
