"""The folder that a lesson server keeps its store in, for itself alone."""

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
FILES = ("lock", "server.json", "lessons.npz", "skills.npz", "taxonomy.yml", "db/chroma.sqlite3")
TIMEOUT = 0.5  # seconds: who only looks whether the folder is claimed holds the lock that briefly


class InUseError(ReportedError):
    """Another process has the folder, perhaps only for a while."""


def find_data_folder() -> Path:
    """Return the folder for the user's data, which need not be there yet."""
    import platformdirs

    home = os.environ.get("XDG_DATA_HOME", "")
    # A relative path is to be ignored, as the XDG Base Directory Specification has it.
    if Path(home).is_absolute():
        return Path(home, NAME)
    return platformdirs.user_data_path(NAME, appauthor=False)


def lock_folder(folder: Path) -> "FileLock":
    """Take a folder for this process, until it ends or releases the lock.

    Args:
        folder: It is made where it is missing, and is then private to the user.

    Returns:
        The lock, held; its release() gives the folder back.

    Raises:
        InUseError: Another process has it.
        ReportedError: It cannot be made or written.

    """
    import filelock

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_private(folder)
        check_files(folder)
        lock = open_lock(folder)
        lock.acquire(timeout=TIMEOUT)
        remove_address(folder)  # of one that was killed
    except filelock.Timeout:
        holder = read_file(folder)
        by = (
            f"the lesson server at {holder[0]} (process {holder[1]})"
            if holder
            else "another process"
        )
        raise InUseError(f"{folder} is in use by {by}: stop it, or name another folder") from None
    except OSError as error:
        raise ReportedError(
            f"{folder} cannot be used: {error.strerror}: name another folder, or make it yours"
        ) from None
    return lock


def check_files(folder: Path) -> None:
    """Refuse a folder with something else where a file should be, such as a pipe.

    It would be waited for, or never be written.
    """
    named = [*(folder / name for name in FILES), *folder.glob("calibration-*.json")]
    others = [path for path in (folder / "db").rglob("*") if not path.is_dir()]
    for path in (*named, *others):
        if path.exists() and not path.is_file():
            raise ReportedError(f"{path} is no regular file: remove it, or name another folder")


def make_private(folder: Path) -> None:
    """Let nobody else into a folder of the user's, nor so to the files that Chroma makes in it.

    One that all may write to, such as /tmp, is theirs as well, and stays as it is.
    """
    found = folder.stat()
    private = stat.S_IMODE(found.st_mode) & ~(stat.S_IRWXG | stat.S_IRWXO)
    shared = found.st_mode & stat.S_ISVTX
    if os.name == "posix" and found.st_uid == os.geteuid() and not shared:
        folder.chmod(private)


def write_address(folder: Path, url: str) -> None:
    """Note, in a folder that this process has claimed, where its server is."""
    with replacing(folder / "server.json") as file:
        json.dump({"url": url, "pid": os.getpid()}, file)


def remove_address(folder: Path) -> None:
    """Note that there is no server any more."""
    (folder / "server.json").unlink(missing_ok=True)


def read_address(folder: Path) -> tuple[str, int] | None:
    """Return the URL and the process id of the server that has claimed a folder, or None."""
    address = read_file(folder)
    if not address or not (folder / "lock").exists():
        return None
    import filelock

    try:
        with open_lock(folder).acquire(timeout=0):
            return None  # it is left from one that was killed
    except filelock.Timeout:
        return address
    except OSError:
        return None


def read_file(folder: Path) -> tuple[str, int] | None:
    """Return what a server noted in a folder, or None."""
    try:
        noted = json.loads(read_regular(folder / "server.json"))
        url, pid = noted["url"], noted["pid"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return (url, pid) if isinstance(url, str) and isinstance(pid, int) else None


def open_lock(folder: Path) -> "FileLock":
    """Return the lock of a folder, not held."""
    import filelock

    return filelock.FileLock(folder / "lock", mode=0o600, thread_local=False)
