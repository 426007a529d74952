"""Learn the vectors that the tokens of prompts and lessons are compared by."""
