"""A page to look at: the lessons, and what a prompt gets."""
