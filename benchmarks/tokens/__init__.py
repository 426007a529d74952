"""Learn the token vectors by which prompts and lessons are compared."""
