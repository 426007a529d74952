"""Check the patterns of routes: they have to be valid, fast, and no broader than meant."""
