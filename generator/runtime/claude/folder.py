"""Find Claude Code's folder for hook files."""

# --- rendered from here on ---


def find_memory_folder() -> str:
    """Return the folder for the hooks' memory and logs; raises OSError without a home folder."""
    import os

    config = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    folder = os.path.normpath(os.path.join(config, "hooks"))
    home = os.path.dirname(os.path.dirname(folder))
    if not os.path.isabs(config) or not os.path.isdir(home):
        raise FileNotFoundError(home)
    return folder
