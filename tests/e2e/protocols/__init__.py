"""The protocols between clients and models, and the fake model's responses in each."""
