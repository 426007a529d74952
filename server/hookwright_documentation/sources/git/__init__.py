"""Git repositories, whose documentation is read like a folder's."""
