"""Show what hooks would do with a call or a prompt."""
