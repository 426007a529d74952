"""Ask for records one at a time, and preview the agent's message for each."""
