"""Fetch the pages of a documentation, from its site or another source."""
