"""Check that the installed hooks work, and that the tools they name exist."""
