"""Show hooks' decisions on a call or a prompt."""
