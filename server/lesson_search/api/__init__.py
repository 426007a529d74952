"""The HTTP API of lesson search."""
