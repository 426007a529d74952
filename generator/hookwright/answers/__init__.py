"""Read, check, write and edit a project's answers."""
