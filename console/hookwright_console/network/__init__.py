"""Addresses, peers and HTTP requests."""
