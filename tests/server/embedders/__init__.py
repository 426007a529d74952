"""Tests of lesson_search/embedders."""
