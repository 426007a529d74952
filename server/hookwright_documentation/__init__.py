"""Crawl, cut, index, search and serve documentation."""
