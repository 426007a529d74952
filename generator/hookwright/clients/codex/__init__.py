"""What only Codex CLI has."""
