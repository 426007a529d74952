"""Find the folder for hook files inside a client's folder.

It is not named hooks, because Copilot CLI reads every JSON file in a folder of that name as
settings.
"""

CONFIG_VARIABLE, CONFIG, OWN = "CODEX_HOME", "~/.codex", "hookwright"

# --- rendered from here on ---


def find_memory_folder() -> str:
    """Return the folder for the hooks' memory and logs; raises OSError without a home folder."""
    import os

    config = os.environ.get(CONFIG_VARIABLE) or os.path.expanduser(CONFIG)
    folder = os.path.normpath(os.path.join(config, OWN))
    home = os.path.dirname(os.path.dirname(folder))
    if not os.path.isabs(config) or not os.path.isdir(home):
        raise FileNotFoundError(home)
    return folder
