"""Filter out prompts that no lesson can help with: commands, and the client's own messages."""

import re
from typing import Literal

Obstacle = Literal["short", "slash command", "shell command", "memory note", "client's own"]

MIN_LENGTH = 10  # characters; a shorter prompt is a "yes", a "go on" or a command

# Tags that start client-written prompts, taken from clients' transcripts and sources.
MACHINE_TAGS = (
    "agent-notification",
    "bash-input",
    "bash-notification",
    "bash-stderr",
    "bash-stdout",
    "command-args",
    "command-contents",
    "command-message",
    "command-name",
    "cross-session-message",
    "environment_context",
    "hook_context",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "mcp-polling-update",
    "mcp-resource-update",
    "system-notification",
    "system-reminder",
    "task-notification",
    "teammate-message",
    "turn_aborted",
    "user-memory-input",
    "user-prompt-submit-hook",
    "user_instructions",
    "user_shell_command",
)
# Tags of notes that editors insert before the user's text.
EDITOR_TAGS = ("ide_diagnostics", "ide_opened_file", "ide_selection")

MACHINE_MADE = re.compile(rf"<(?:{'|'.join(MACHINE_TAGS)})[\s/>]")
EDITOR_NOTES = re.compile(rf"\A(?s:\s*<({'|'.join(EDITOR_TAGS)})>.*?</\1>)+")
# The characters of a Claude Code command name, except for system folders such as /etc. A text with
# another slash or a comma is a path or a sentence, which goes to the model.
SLASH_COMMAND = re.compile(
    r"/(?!(?:bin|boot|etc|home|lib|mnt|opt|proc|root|srv|sys|tmp|usr|var)\s)[A-Za-z0-9:_-]+(?:\s|$)"
)
SHELL_COMMAND = re.compile(r"!(?!\[\S)")  # except a Markdown image
MEMORY_NOTE = re.compile(r"#[^\S\n].*\Z")  # a single line, since a heading is followed by text


def find_obstacle(prompt: str) -> Obstacle | None:
    """Return why no lesson can be relevant to a prompt, or None; editors' notes are ignored."""
    written = EDITOR_NOTES.sub("", prompt).strip()
    # Patterns are called by name because the test of growing inputs relies on it.
    if MACHINE_MADE.match(written):
        return "client's own"
    if SLASH_COMMAND.match(written):
        return "slash command"
    if SHELL_COMMAND.match(written):
        return "shell command"
    if MEMORY_NOTE.match(written):
        return "memory note"
    return "short" if len(written) < MIN_LENGTH else None
