"""Store lessons and skills in Chroma."""
