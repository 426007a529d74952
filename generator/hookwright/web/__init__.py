"""Fetch and ask by HTTP."""
