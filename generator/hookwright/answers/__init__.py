"""Read, check, write and edit the answers of a project."""
