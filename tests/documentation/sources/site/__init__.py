"""Tests of the crawl of documentation."""
