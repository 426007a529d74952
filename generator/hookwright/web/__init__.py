"""Fetch files and call servers by HTTP."""
