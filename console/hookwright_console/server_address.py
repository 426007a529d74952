"""Where the lesson server of this user keeps its data, and at which address it runs."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from hookwright_console.atomic_files import replacing
from hookwright_console.regular_files import read_regular

if TYPE_CHECKING:
    from filelock import FileLock

NAME = "lesson-search"


def find_data_folder() -> Path:
    """Return the user's default data folder, which need not exist."""
    import platformdirs

    home = os.environ.get("XDG_DATA_HOME", "")
    # The XDG Base Directory Specification says to ignore relative paths.
    if Path(home).is_absolute():
        return Path(home, NAME)
    return platformdirs.user_data_path(NAME, appauthor=False)


def write_address(folder: Path, url: str) -> None:
    """Save the URL of this process's server in the folder that it has locked."""
    with replacing(folder / "server.json") as file:
        json.dump({"url": url, "pid": os.getpid()}, file)


def remove_address(folder: Path) -> None:
    """Remove the URL that `write_address` saved."""
    (folder / "server.json").unlink(missing_ok=True)


def read_address(folder: Path) -> tuple[str, int] | None:
    """Return the URL and the process id of the server that uses a folder, or None."""
    address = read_file(folder)
    if not address or not (folder / "lock").exists():
        return None
    import filelock

    try:
        with open_lock(folder).acquire(timeout=0):
            return None  # a killed server left it
    except filelock.Timeout:
        return address
    except OSError:
        return None


def read_file(folder: Path) -> tuple[str, int] | None:
    """Return the saved URL and process id, or None if missing or invalid."""
    try:
        saved = json.loads(read_regular(folder / "server.json"))
        url, pid = saved["url"], saved["pid"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return (url, pid) if isinstance(url, str) and isinstance(pid, int) else None


def open_lock(folder: Path) -> "FileLock":
    import filelock

    return filelock.FileLock(folder / "lock", mode=0o600, thread_local=False)
