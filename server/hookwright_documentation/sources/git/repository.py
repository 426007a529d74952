"""Parse a source text into a repository and the part to fetch."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote
from urllib.request import url2pathname

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import find_whole_path
from hookwright_console.network.addresses import shorten_url
from hookwright_console.text import shorten
from hookwright_documentation.sources.registry import CrawlOptions, Source, find_url_fault, split

GIT = "git+"  # prefix for a folder or URL that is not recognised as a repository
BARE_REPOSITORY = ("HEAD", "objects", "refs")
# A repository on a known host: the owner and name, optionally with a branch and a folder.
FORGES = frozenset(("github.com", "www.github.com", "gitlab.com", "codeberg.org", "bitbucket.org"))
REPOSITORY = re.compile(r"/[\w.-]+/[\w.-]+(?:/(?:-/)?(?:tree|src/branch|src)/.+)?/?\Z")
# The path after a repository's owner and name: a branch, optionally with a folder.
TREE = re.compile(
    r"(?P<name>/[\w.-]+/[\w.-]+?)(?:\.git)?(?:/(?:-/)?(?:tree|src/branch|src)/(?P<ref>[^/]+)"
    r"(?:/(?P<folder>.+?))?)?/?\Z"
)
REF = re.compile(r"(?!.*(?:\.\.|//|\.lock\Z|/\Z))[A-Za-z0-9][A-Za-z0-9._+/-]{0,199}\Z")
FOLDER = re.compile(r"[^\x00-\x1f\x7f\\\"*?\[\]!#]{1,500}\Z")
SCHEMES = ("http", "https")
BLOBS = {  # path element before the branch in a file's address, by host
    "bitbucket.org": "src",
    "codeberg.org": "src/branch",
    "gitlab.com": "-/blob",
}


def recognise(text: str) -> Source | None:
    name, is_named = text.removeprefix(GIT), text.startswith(GIT)
    if name.startswith("file:///"):
        name = url2pathname(split(name).path)
    if "://" in name:
        parts = split(name)
        is_forge = (parts.hostname or "").lower() in FORGES and REPOSITORY.match(parts.path)
        if not (is_named or is_forge or parts.path.rstrip("/").endswith(".git")):
            return None
        return Source(text, fault=find_url_fault(name), has_folders=True)
    place = find_whole_path(name)
    if not (is_named or all((Path(place) / name).exists() for name in BARE_REPOSITORY)):
        return None
    address = (GIT if is_named else "") + place
    return Source(address, place, is_missing=not Path(place).is_dir(), has_folders=True)


@dataclass(frozen=True)
class Repository:
    """A repository and the part to fetch."""

    url: str  # address that git clones
    web: str  # the part of a file's web address that precedes the branch, or "" if unknown
    ref: str  # branch or tag; "" for the default branch
    folder: str  # the documentation's folder; "" to search for it
    is_local: bool  # whether the repository is a folder on this computer

    def find_address(self, branch: str) -> str:
        return f"{self.web}{quote(branch)}/" if self.web else self.url.rstrip("/") + "/"


def find_repository(options: CrawlOptions) -> Repository:
    source = options.source.removeprefix(GIT)
    folder = options.prefix.strip("/")
    read = read_url if "://" in source else read_path
    repository = read(source, options.version, folder)
    if repository.ref and not REF.match(repository.ref):
        raise ReportedError(
            f"--version: not a valid git branch or tag: '{shorten(repository.ref)}': use one "
            "such as main or v1.2"
        )
    parts = repository.folder.split("/")
    if repository.folder and (not FOLDER.match(repository.folder) or {"..", ".", ""} & {*parts}):
        raise ReportedError(
            f"--prefix: not a valid repository folder: '{shorten(repository.folder)}': use one "
            "such as docs"
        )
    return repository


def read_path(source: str, ref: str, folder: str) -> Repository:
    path = Path(source).expanduser().resolve()
    if not path.is_dir():
        raise ReportedError(
            f"{shorten_url(source)}: no such repository (a URL begins with https://)"
        )
    return Repository(path.as_uri(), "", ref, folder, is_local=True)


def read_url(source: str, ref: str, folder: str) -> Repository:
    parts = split(source)
    host = (parts.hostname or "").lower()
    is_plain = "@" not in parts.netloc and not parts.query and not parts.fragment
    if parts.scheme not in SCHEMES or not host or not is_plain:
        raise ReportedError(
            f"{shorten_url(source)}: use the repository's URL with https://, without user, "
            "password, query and fragment"
        )
    if host not in FORGES:
        return Repository(source.rstrip("/"), "", ref, folder, is_local=False)
    if not (found := TREE.match(parts.path)):
        raise ReportedError(
            f"{shorten_url(source)}: use the repository's full URL, with owner and name"
        )
    web = f"{parts.scheme}://{parts.netloc}{found['name']}"
    return Repository(
        f"{web}.git",
        f"{web}/{BLOBS.get(host, 'blob')}/",
        ref or unquote(found["ref"] or ""),
        folder or unquote(found["folder"] or ""),
        is_local=False,
    )
