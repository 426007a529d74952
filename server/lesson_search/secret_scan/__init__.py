"""Find secrets in texts."""
