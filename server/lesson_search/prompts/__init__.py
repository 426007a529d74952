"""Decide which prompts to search for, and word what is added to them."""
