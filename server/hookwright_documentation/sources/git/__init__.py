"""Take the documentation in a git repository."""
