"""Ask for records, one at a time, and show of each what the agent will be told."""
