"""Bundled recipes for the documentation of the technologies that agents search for most."""
