"""Tests of lesson_search/service."""
