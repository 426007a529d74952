"""Tests of lesson_search/storage."""
