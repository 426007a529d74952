"""The data folder of a lesson server, which one process uses at a time."""

import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from hookwright_console.atomic_files import replacing
from hookwright_console.errors import ReportedError
from hookwright_console.regular_files import read_regular

if TYPE_CHECKING:
    from filelock import FileLock

NAME = "lesson-search"
CACHES = ("lessons.npz", "lessons.records", "skills.npz", "skills.records")
FILES = ("lock", "server.json", *CACHES, "taxonomy.yml", "db/chroma.sqlite3")
TIMEOUT = 0.5  # seconds: a process that only checks the lock holds it for less


class InUseError(ReportedError):
    """Another process uses the folder, perhaps only for a while."""


def find_data_folder() -> Path:
    """Return the user's default data folder, which need not exist."""
    import platformdirs

    home = os.environ.get("XDG_DATA_HOME", "")
    # The XDG Base Directory Specification says to ignore relative paths.
    if Path(home).is_absolute():
        return Path(home, NAME)
    return platformdirs.user_data_path(NAME, appauthor=False)


def lock_folder(folder: Path) -> "FileLock":
    """Lock a folder for this process, until the process ends or releases the lock.

    Args:
        folder: The folder. If it is missing, it is created, private to the user.

    Returns:
        The acquired lock.

    Raises:
        InUseError: Another process uses the folder.
        ReportedError: The folder cannot be created or written.

    """
    import filelock

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_private(folder)
        check_files(folder)
        lock = open_lock(folder)
        lock.acquire(timeout=TIMEOUT)
        remove_address(folder)  # left by a killed server
    except filelock.Timeout:
        holder = read_file(folder)
        by = (
            f"the lesson server at {holder[0]} (process {holder[1]})"
            if holder
            else "another process"
        )
        raise InUseError(
            f"{folder} is in use by {by}: stop it, or choose another --data folder"
        ) from None
    except FileExistsError:
        raise ReportedError(
            f"{folder} is a file, not a folder: choose another --data folder"
        ) from None
    except OSError as error:
        raise ReportedError(
            f"cannot use {folder}: {error.strerror} (choose another --data folder, or own this one)"
        ) from None
    return lock


def check_files(folder: Path) -> None:
    """Refuse a folder with anything but regular files where files belong.

    Reading a pipe, for example, would wait for ever.
    """
    named = [*(folder / name for name in FILES), *folder.glob("calibration-*.json")]
    others = [path for path in (folder / "db").rglob("*") if not path.is_dir()]
    for path in (*named, *others):
        if path.exists() and not path.is_file():
            raise ReportedError(
                f"{path} is not a regular file: remove it, or choose another --data folder"
            )


def make_private(folder: Path) -> None:
    """Deny other users access to a folder of the user, and so to Chroma's files in it.

    A folder that everybody may write to, such as /tmp, stays as it is.
    """
    found = folder.stat()
    private = stat.S_IMODE(found.st_mode) & ~(stat.S_IRWXG | stat.S_IRWXO)
    shared = found.st_mode & stat.S_ISVTX
    if os.name == "posix" and found.st_uid == os.geteuid() and not shared:
        folder.chmod(private)


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
