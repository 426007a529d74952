"""The page of the lesson server in a real browser."""
