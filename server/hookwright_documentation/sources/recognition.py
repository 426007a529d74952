"""Recognise what kind of source a user gives."""

import re
from enum import Enum
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

PYTHON = "python:"  # and the names of installed packages
GIT = "git+"
WHOLE = "llms-full.txt"
DEVDOCS_FILES = ("index.json", "db.json")
DEVDOCS_HOST = "documents.devdocs.io"
BARE_REPOSITORY = ("HEAD", "objects", "refs")
# A repository on a host of many: its owner and name, then perhaps a branch and a folder.
FORGES = frozenset(("github.com", "www.github.com", "gitlab.com", "codeberg.org", "bitbucket.org"))
REPOSITORY = re.compile(r"/[\w.-]+/[\w.-]+(?:/(?:-/)?(?:tree|src/branch|src)/.+)?/?\Z")

# Folders that hold what others made; `build` and `target` can be chapters of a documentation.
OTHERS_FOLDERS = frozenset(
    {
        *("__pycache__", "bower_components", "dist", "node_modules", "Pods", "site-packages"),
        *("third_party", "vendor", "venv"),
    }
)


class Kind(Enum):
    """A kind of source."""

    SITE = "site"
    FOLDER = "folder"
    PYTHON = "python"
    GIT = "git"
    WHOLE = "whole"
    DEVDOCS = "devdocs"


def find_kind(source: str) -> Kind:
    """Return the kind of a source; of what is nothing else, a site or a folder."""
    if source.startswith(PYTHON):
        return Kind.PYTHON
    if source.startswith(GIT):
        return Kind.GIT
    if "://" in source:
        return find_kind_of_url(source)
    path = Path(source).expanduser()
    if all((path / name).exists() for name in BARE_REPOSITORY):
        return Kind.GIT
    if all((path / name).is_file() for name in DEVDOCS_FILES):
        return Kind.DEVDOCS
    return Kind.WHOLE if path.is_file() and path.suffix == ".txt" else Kind.FOLDER


def find_kind_of_url(url: str) -> Kind:
    """Return the kind of a source by its URL alone; nothing is fetched."""
    parts = split(url)
    host, path = (parts.hostname or "").lower(), parts.path
    last = path.rpartition("/")[2]
    if path.rstrip("/").endswith(".git") or (host in FORGES and REPOSITORY.match(path)):
        return Kind.GIT
    if parts.scheme not in ("http", "https"):
        return Kind.SITE
    if last == WHOLE:
        return Kind.WHOLE
    is_devdocs = last in DEVDOCS_FILES or (host == DEVDOCS_HOST and path.strip("/"))
    return Kind.DEVDOCS if is_devdocs else Kind.SITE


def find_path(source: str) -> str:
    """Return the file or folder of this computer that a source is, "" for any other."""
    if "://" in source or source.startswith(PYTHON):
        return ""
    return source.removeprefix(GIT)


def split(url: str) -> SplitResult:
    """Return the parts of a URL, empty ones where it is invalid."""
    try:
        parts = urlsplit(url)
        _ = parts.hostname
    except ValueError:
        return urlsplit("")
    return parts
