"""Specific to Codex CLI."""
