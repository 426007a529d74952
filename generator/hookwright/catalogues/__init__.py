"""Shared catalogues of records."""
