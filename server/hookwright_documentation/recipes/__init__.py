"""Bundled recipes for the technologies whose documentation agents search most often."""
