"""Read what a project depends on, and propose documentation for it."""
