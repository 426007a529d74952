"""Name the events at which Claude Code runs hooks, and the tool that it searches the web with."""

BEFORE_CALL = "PreToolUse"
BEFORE_PROMPT = "UserPromptSubmit"
SESSION_START = "SessionStart"

SEARCH = "WebSearch"
