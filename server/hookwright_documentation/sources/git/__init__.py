"""A git repository: its documentation is taken as that of a folder is."""

import re
from collections.abc import Callable
from pathlib import Path

from hookwright_documentation.sources.options import CrawlOptions, CrawlReport
from hookwright_documentation.sources.registry import Source, find_place, find_url_fault, split

GIT = "git+"  # before the folder or URL of a repository that does not look like one
BARE_REPOSITORY = ("HEAD", "objects", "refs")
# A repository on a host of many: its owner and name, then perhaps a branch and a folder.
FORGES = frozenset(("github.com", "www.github.com", "gitlab.com", "codeberg.org", "bitbucket.org"))
REPOSITORY = re.compile(r"/[\w.-]+/[\w.-]+(?:/(?:-/)?(?:tree|src/branch|src)/.+)?/?\Z")


def recognise(text: str) -> Source | None:
    name, is_named = text.removeprefix(GIT), text.startswith(GIT)
    if "://" in name:
        parts = split(name)
        is_forge = (parts.hostname or "").lower() in FORGES and REPOSITORY.match(parts.path)
        if not (is_named or is_forge or parts.path.rstrip("/").endswith(".git")):
            return None
        return Source(text, fault=find_url_fault(name), has_folders=True)
    place = find_place(name)
    if not (is_named or all((Path(place) / one).exists() for one in BARE_REPOSITORY)):
        return None
    address = (GIT if is_named else "") + place
    return Source(address, place, is_missing=not Path(place).is_dir(), has_folders=True)


def take(
    options: CrawlOptions, folder: Path, progress: Callable[[int, int], None] | None
) -> CrawlReport:
    from hookwright_documentation.sources.git.checkout import take_repository

    return take_repository(options, folder, progress)
