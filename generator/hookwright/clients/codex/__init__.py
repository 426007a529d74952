"""Code specific to Codex CLI."""
