"""Tell prompts that lessons may matter to from commands, and from what the client itself sends."""

import re

SHORTEST = 10  # characters; a shorter prompt is a "yes", a "go on" or a command

# Tags that clients begin a prompt of their own with, as found in their transcripts and sources.
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
# Tags of what an editor puts before that which somebody wrote.
EDITOR_TAGS = ("ide_diagnostics", "ide_opened_file", "ide_selection")

MACHINE_MADE = re.compile(rf"<(?:{'|'.join(MACHINE_TAGS)})[\s/>]")
EDITOR_NOTES = re.compile(rf"\A(?s:\s*<({'|'.join(EDITOR_TAGS)})>.*?</\1>)+")
# Claude Code takes these letters for a command's name, unless there is a file of that name: what
# has another slash or a comma, as paths and sentences have, goes to the model.
SLASH_COMMAND = re.compile(
    r"/(?!(?:bin|boot|etc|home|lib|mnt|opt|proc|root|srv|sys|tmp|usr|var)\s)[A-Za-z0-9:_-]+(?:\s|$)"
)
SHELL_COMMAND = re.compile(r"!(?!\[\S)")  # but an image in Markdown is none
MEMORY_NOTE = re.compile(r"#[^\S\n].*\Z")  # one line: a heading has something below it


def is_worth_searching(prompt: str) -> bool:
    """Tell whether somebody asks for something that lessons may matter to.

    Args:
        prompt: What a client sent as the user's prompt: any text, in any script.

    Returns:
        False for what is shorter than ten characters; for a slash command, a shell command after
        ``!`` and a note to memory, one line after ``#`` and a space; for what the client made
        itself, which a tag of its own begins; and for what an editor says of itself if nobody wrote
        anything below it. True for all else.

    """
    written = EDITOR_NOTES.sub("", prompt).strip()
    if len(written) < SHORTEST:
        return False
    return not (
        MACHINE_MADE.match(written)
        or SLASH_COMMAND.match(written)
        or SHELL_COMMAND.match(written)
        or MEMORY_NOTE.match(written)
    )
