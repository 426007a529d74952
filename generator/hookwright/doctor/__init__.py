"""Look whether the hooks that are installed work, and what they send the agent to is there."""
