"""The protocols between clients and models, and a fake model's responses in each."""
