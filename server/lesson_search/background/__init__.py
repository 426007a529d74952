"""Work in child processes: refreshes of databases, and calls that would slow down hooks."""
