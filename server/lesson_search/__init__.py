"""Find the lessons that matter to a prompt."""
