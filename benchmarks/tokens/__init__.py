"""Learn the token vectors for comparing prompts and lessons."""
