"""Read a project's dependencies, and propose documentation for them."""
