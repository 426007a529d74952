"""Network addresses, peers and HTTP requests."""
