"""Recognise prompts that hooks ignore, and the frame of an answer to a prompt."""

# --- rendered from here on ---


def may_matter(prompt: str) -> bool:
    """Return whether a prompt is more than a yes, a command or a message from the client."""
    text = prompt.strip()
    if len(text) < MIN_LENGTH:
        return False
    if text[0] == "!":  # a shell command, unless it is a Markdown image
        return text[1] == "["
    if text[:2] in {"# ", "#\t"}:  # a note for the agent's memory, unless it is a heading
        return "\n" in text
    name = text[1:].partition("\n")[0].partition(" ")[0]
    if text[0] == "/":
        letters = name.replace("-", "a").replace("_", "a").replace(":", "a")
        return len(name) <= FOLDER or not (letters.isascii() and letters.isalnum())
    tag = name.partition(">")[0]
    return text[0] != "<" or tag not in MACHINE_TAGS.split() or tag == text[1:]


MIN_LENGTH = 10  # minimum characters of a prompt that may need lessons or hints
FOLDER = 4  # letters of the longest folder name, such as /home, that may start a prompt
# Tags with which the client itself starts a prompt.
MACHINE_TAGS = """
agent-notification bash-input bash-notification bash-stderr bash-stdout command-args
command-contents command-message command-name cross-session-message environment_context hook_context
local-command-caveat local-command-stderr local-command-stdout mcp-polling-update
mcp-resource-update system-notification system-reminder task-notification teammate-message
turn_aborted user-memory-input user-prompt-submit-hook user_instructions user_shell_command
"""


# --- rendered as frames ---


OPENING = '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"'
