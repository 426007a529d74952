"""Ask for records one at a time, and preview what each tells the agent."""
