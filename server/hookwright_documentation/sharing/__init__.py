"""Share documentation databases: pages in an archive that any machine can verify."""
