"""Name the events at which Claude Code runs hooks."""

BEFORE_CALL = "PreToolUse"
