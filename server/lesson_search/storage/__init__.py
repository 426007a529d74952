"""Keep lessons and skills in Chroma."""
