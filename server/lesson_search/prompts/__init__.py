"""Filter prompts, and format the context for them."""
