"""The lesson server's page in a real browser."""
