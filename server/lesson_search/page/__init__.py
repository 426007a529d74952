"""The page: the lessons, and what a prompt gets."""
