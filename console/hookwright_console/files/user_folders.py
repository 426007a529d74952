"""Find the folders of the user's data and state."""

import os
from pathlib import Path
from typing import Literal

NAME = "hookwright"


def find_user_folder(kind: Literal["data", "state"], name: str = NAME) -> Path:
    """Return a program's folder for the user's data or state, which may not exist yet."""
    import platformdirs

    home = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
    # The XDG Base Directory Specification requires relative paths to be ignored.
    if Path(home).is_absolute():
        return Path(home, name)
    find = platformdirs.user_data_path if kind == "data" else platformdirs.user_state_path
    return find(name, appauthor=False)


def find_state_folder() -> Path:
    return find_user_folder("state")
