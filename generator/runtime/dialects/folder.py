"""Find the folder for the files of hooks, within that of a client.

It is not called hooks: Copilot CLI takes each JSON file in its folder of that name for settings.
"""

CONFIG_VARIABLE, CONFIG, OWN = "CODEX_HOME", "~/.codex", "hookwright"

# --- rendered from here on ---


def find_memory_folder() -> str:
    """Return the folder for what hooks remember and record; raise OSError if there is no home."""
    import os

    config = os.environ.get(CONFIG_VARIABLE) or os.path.expanduser(CONFIG)
    folder = os.path.normpath(os.path.join(config, OWN))
    home = os.path.dirname(os.path.dirname(folder))
    if not os.path.isabs(config) or not os.path.isdir(home):
        raise FileNotFoundError(home)
    return folder
