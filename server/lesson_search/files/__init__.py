"""Read lessons and skills from files."""
