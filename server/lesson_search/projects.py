"""Name projects: a git repository is named after its remote, or else after its root.

A hook that queries a server on another machine derives the same names in
generator/runtime/git_project.py, using only the standard library. Git is not run, since a
repository may be untrusted and its configuration can name programs to run.
"""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_start
from hookwright_console.text import is_visible, shorten, shorten_home

MAX_NAME = 1_000  # characters
MAX_FOLDER = 4_096  # characters, the limit of paths
MAX_CONFIG = 65_536  # bytes to read from a git configuration
PATH = re.compile(r"[/~]|[A-Za-z]:[\\/]|file:|\.{0,2}\Z|\.{1,2}/")
SCHEME = re.compile(r"\A[a-z][a-z0-9+.-]{0,20}://", re.IGNORECASE)
# A project name is an absolute path, or a host and a path.
ROOT = re.compile(r"(?:[/~]|[A-Za-z]:[\\/]).*")
HOST_AND_PATH = re.compile(r"[\w.-]+(?:/[^\s/:\\]+)+")
UPWARDS = re.compile(r"(?:\A|[\\/])\.\.?(?:[\\/]|\Z)")
PORT = re.compile(r":\d+(?=/)")
PART = r'[^\s?#;&"]'
PATH_ONLY = r'[^\s?#;&":]+(?:[\s?#;&"]|\Z)'  # a colon may separate a user from a password
# The parts of a remote: its user, and its host and path without a query or comment.
REMOTE = re.compile(
    rf"(?:(?:https?|ssh|git)://(?:(?:(?!/){PART})*@)?(?=[\w.-]+(?::\d+)?/{PATH_ONLY})"
    rf"|[\w.-]+@(?=[\w.-]+:{PATH_ONLY}))(?!.*(?:@|%40|::|://|\\))({PART}+).*",
    re.IGNORECASE | re.DOTALL,
)
URL = re.compile(r"\s*url\s*=(.*)", re.IGNORECASE)


def name_project(written: str) -> str:
    """Return a project's name, from its remote or root: github.com/acme/shop, or ~/shop.

    The name never contains a remote's user, password or query. Raises RefusedError.
    """
    written = written.strip()
    if PATH.match(written):
        name = shorten_home(written.removeprefix("file://").rstrip("/"))
        known = ROOT.fullmatch(name)
    else:
        address = re.split("[?#]", written.rpartition("@")[2])[0]
        address = PORT.sub("", SCHEME.sub("", address), 1).replace(":", "/", 1)
        name = address.rstrip("/").removesuffix(".git").rstrip("/").lower()
        known = HOST_AND_PATH.fullmatch(name)
    if written and (
        not known or UPWARDS.search(name) or len(name) > MAX_NAME or not is_visible(name)
    ):
        raise RefusedError(
            "expected a project by its remote or root, such as github.com/acme/shop or ~/shop, got"
            f" '{shorten(written.rpartition('@')[2])}'"
        )
    return name


def name_projects(written: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct names of projects, leaving out invalid ones."""
    names = []
    for remote_or_root in written:
        with suppress(RefusedError):
            names.append(name_project(remote_or_root))
    return tuple(dict.fromkeys(filter(None, names)))


def find_project(folder: Path) -> tuple[str, ...]:
    """Return the names of the project that contains a folder (its remote and root), if any.

    Links and `..` are resolved first; a relative path is not in any project.
    """
    if not folder.is_absolute():
        return ()
    try:
        folder = Path(os.path.realpath(folder))
    except ValueError:  # a null character or lone surrogate in JSON
        return ()
    for root in (folder, *folder.parents):
        config = read_start(root / ".git" / "config", MAX_CONFIG)
        link = read_start(root / ".git", MAX_CONFIG)
        if link.startswith("gitdir: "):  # the .git file of a worktree or submodule
            git = root / link.removeprefix("gitdir: ").strip()
            if git.parent.name == "worktrees":
                git = git.parent.parent
                root = git.parent if git.name == ".git" else git  # noqa: PLW2901 - the main one's
            config = read_start(git / "config", MAX_CONFIG)
        if not config:
            continue
        return name_projects((find_remote(config), root.as_posix()))
    return ()


def choose_project(named: str) -> str:
    """Return the name of a project that the user specifies by folder, remote or root.

    Raises RefusedError, also for a folder outside a Git repository.
    """
    path = os.path.expanduser(named)  # noqa: PTH111 - neither this nor isdir raises
    exists = os.path.isdir(path)  # noqa: PTH112
    if not PATH.match(named) or not (exists or named.startswith(".")):
        return name_project(named)
    folder = Path(os.path.realpath(path))
    if exists and (names := find_project(folder)):
        return names[0]
    raise RefusedError(
        f"{shorten(name_project(str(folder)))} is not in a Git repository: run this in one, or give"
        " its remote, such as github.com/acme/shop"
    )


def find_remote(config: str) -> str:
    """Return the host and path of a configuration's remote, preferring origin, or ""."""
    remotes: dict[str, str] = {}
    section = ""
    for line in config.split("\n"):
        if line.lstrip().startswith("["):
            section = line.strip()
        elif section.startswith('[remote "') and (url := URL.fullmatch(line)):
            remotes.setdefault(section, url[1].strip(' \t"'))
    found = remotes.get('[remote "origin"]') or next(iter(remotes.values()), "")
    remote = REMOTE.fullmatch(found.strip())
    return remote[1] if remote else ""
