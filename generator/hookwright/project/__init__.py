"""A rendered project: its files, its template, its installer."""
