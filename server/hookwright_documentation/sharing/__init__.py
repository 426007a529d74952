"""Share documentation databases: their pages in an archive that any other machine can verify."""
