"""Claude Code: its settings, matchers and transcripts."""
