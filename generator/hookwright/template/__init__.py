"""The template that projects are rendered from: where it is kept, and how it is rendered."""
