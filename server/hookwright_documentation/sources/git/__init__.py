"""A git repository: its documentation is read like a folder's."""
