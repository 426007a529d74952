"""Find the data folder and the address of this user's lesson server."""

import json
import os
import socket
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import read_object
from hookwright_console.files.user_folders import find_user_folder
from hookwright_console.network.peers import OtherUserError

if TYPE_CHECKING:
    from filelock import FileLock

NAME = "lesson-search"
LOCAL = ("127.0.0.1", "localhost")  # hosts for which the server may also have a Unix socket


def find_data_folder() -> Path:
    """Return the user's default data folder, which may not exist yet."""
    return find_user_folder("data", NAME)


def find_socket(port: int) -> Path:
    """Return the Unix socket on which this user's server listens in addition to its port.

    Its folder is private, so other users can neither listen on it nor connect to it.
    """
    home = os.environ.get("XDG_STATE_HOME", "")
    state = Path(home) if home.startswith("/") else Path.home() / ".local" / "state"
    return state / NAME / f"{port}.sock"


def find_own_socket(host: str, port: int) -> Path | None:
    """Return the Unix socket of this user's server at a local address, or None if it has none.

    Raises:
        OtherUserError: Another user may be listening on the socket.
        OSError: The server is not listening.

    """
    if host not in LOCAL or sys.platform == "win32":
        return None
    path = find_socket(port)
    if not path.is_socket():
        return None
    folder = path.parent.stat()
    if folder.st_uid != os.geteuid() or stat.S_IMODE(folder.st_mode) & 0o077:
        raise OtherUserError(f"{path.parent} is open to others: run chmod 700 on it, or delete it")
    with socket.socket(socket.AF_UNIX) as probe:  # httpx2 would not close the refused socket
        probe.connect(str(path))
    return path


def write_address(folder: Path, url: str) -> None:
    """Save the URL of this process's server in the data folder, which it has locked."""
    with replacing(folder / "server.json") as file:
        json.dump({"url": url, "pid": os.getpid()}, file)


def remove_address(folder: Path) -> None:
    (folder / "server.json").unlink(missing_ok=True)


def read_address(folder: Path) -> tuple[str, int] | None:
    """Return the URL and process ID of the server that uses a data folder, or None."""
    address = read_address_file(folder)
    if not address or not (folder / "lock").exists():
        return None
    import filelock

    try:
        with open_lock(folder).acquire(timeout=0):
            return None  # the file was left by a killed server
    except filelock.Timeout:
        return address
    except OSError:
        return None


def read_address_file(folder: Path) -> tuple[str, int] | None:
    saved = read_object(folder / "server.json")
    url, pid = saved.get("url"), saved.get("pid")
    return (url, pid) if isinstance(url, str) and isinstance(pid, int) else None


def open_lock(folder: Path) -> "FileLock":
    import filelock

    return filelock.FileLock(folder / "lock", mode=0o600, thread_local=False)
