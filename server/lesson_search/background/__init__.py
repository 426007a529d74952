"""Work in processes of its own: refreshes of databases, and calls that would slow down hooks."""
