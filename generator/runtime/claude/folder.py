"""Find the folder of Claude Code that hooks may keep files in."""

# --- rendered from here on ---


def find_folder() -> str:
    """Return the folder for what hooks remember and record; raise OSError if there is no home."""
    import os

    config = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    if not os.path.isabs(config):
        raise FileNotFoundError(config)
    return os.path.join(config, "hooks")
