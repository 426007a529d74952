"""The template that projects are rendered from: its location and rendering."""
