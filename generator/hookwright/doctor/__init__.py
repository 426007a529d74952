"""Check that the installed hooks work, and that what they send the agent to exists."""
