"""Work in child processes: database refreshes, and calls that would slow down hooks."""
