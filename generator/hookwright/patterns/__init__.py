"""Check the patterns of routes: they must be valid, fast, and no broader than intended."""
