"""Fetch a documentation's pages from its site or another source."""
