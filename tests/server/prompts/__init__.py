"""Tests of lesson_search/prompts."""
