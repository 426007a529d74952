"""Claude Code: its files, events, tool names and versions."""
