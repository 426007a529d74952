"""Tests of lesson_search/taxonomy."""
