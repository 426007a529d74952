"""Tests of lesson_search/secret_scan."""
