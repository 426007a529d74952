"""Share documentation databases as archives of pages that any machine can verify."""
