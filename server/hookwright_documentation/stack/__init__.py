"""Read what a project depends on, and propose the documentations of it."""
