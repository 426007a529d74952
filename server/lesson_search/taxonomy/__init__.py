"""Sort lessons into categories."""
