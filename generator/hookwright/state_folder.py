"""The folder that contains a user's Hookwright state."""

import os
from pathlib import Path

import platformdirs

NAME = "hookwright"


def find_state_folder() -> Path:
    """Return the user's state folder, which need not exist."""
    home = os.environ.get("XDG_STATE_HOME", "")
    # The XDG Base Directory Specification ignores relative paths.
    own = Path(home).is_absolute()
    return Path(home, NAME) if own else platformdirs.user_state_path(NAME, appauthor=False)
