"""Support for Codex CLI."""
