"""Tests of lesson_search/retrieval."""
