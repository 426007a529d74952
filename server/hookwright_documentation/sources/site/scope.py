"""Select the pages of a crawl: below a prefix, in one language and version, without duplicates."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from hookwright_console.text import name_some, shorten
from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.site.markup import Markup
from hookwright_documentation.sources.urls import find_twins, is_file, is_list

# Languages into which documentations are translated, from ISO 639-1.
LANGUAGES = frozenset(
    re.findall(
        "..",
        "arbebgbncacsdadeeleneoesetfafifrglhehihrhuhyiditjakakokkltlvmkmnmsnbnlnoplptrorusi"
        "skslsqsrsvtatethtrukuruzvizh",
    )
)
LANGUAGE = re.compile(r"([a-z]{2})(?:[-_]([a-z]{2}|[a-z]{4}|\d{3}))?\Z", re.IGNORECASE)
NAMED_VERSIONS = ("stable", "latest", "current", "main", "master", "devel", "dev")
UNRELEASED = ("next", "nightly", "edge", "unstable", "canary")
VERSION = re.compile(r"v?\d+(?:\.(?:\d+|x))*(?:[.-]?(?:a|b|rc|alpha|beta|dev|post)[.-]?\d*)?\Z")
MIN_LANGUAGES = 3  # minimum number of language folders that count as translations
MIN_CURRENT = 3  # minimum number of pages outside version folders that count as the current version
MAX_SHOWN = 5  # maximum number of names listed in a note
SHORT = 3  # characters; a name this short may occur in any text


@dataclass
class Scope:
    """Determines which addresses belong to the crawl."""

    prefix: str
    language: str = ""  # the pages' language, such as en or pt-br, or "" if unknown
    wanted: str = ""  # version that the user requested, or ""
    version: str = ""  # the selected version's folder, or "" for pages outside version folders
    # Version folders found below the prefix.
    versions: set[str] = field(default_factory=set)
    # Translation folders found below the prefix.
    mirrors: set[str] = field(default_factory=set)
    # Address prefixes of pages to exclude.
    exclusions: tuple[str, ...] = ()
    is_language_named: bool = False
    _current: set[str] = field(default_factory=set)  # some pages outside version folders

    def takes(self, url: str) -> bool:
        if not url.startswith(self.prefix) or is_file(url):
            return False
        path = url.partition("?")[0].removeprefix(self.prefix)
        if is_list(path) or path.startswith(self.exclusions):
            return False
        first, second = self._split(url)
        if first in self.versions:
            return first == self.version and second not in self.mirrors
        return first not in self.mirrors

    def note_links(self, urls: tuple[str, ...]) -> None:
        """Determine from a page's links which folders are translations or versions."""
        heads = {self._split(url)[0] for url in urls if url.startswith(self.prefix)}
        languages = {head for head in heads if is_language(head)}
        several = len({read_language(language) for language in languages}) >= MIN_LANGUAGES
        if several and not self.language:
            self.language = "en"
        self.note_mirrors(
            languages if several else {language for language in languages if has_region(language)}
        )
        self._note_versions(find_versions(heads), urls)

    def note_translations(self, urls: Iterable[str]) -> None:
        """Exclude the folders that a page links to as its translations."""
        self.note_mirrors(
            {folder for url in urls for folder in self._split(url) if is_language(folder)}
        )

    def note_mirrors(self, folders: set[str]) -> None:
        self.mirrors.update(folder for folder in folders if self._is_foreign(folder))

    def note_language(self, url: str, language: str) -> bool:
        """Return whether a page is in the selected language; exclude its folder if it is not."""
        if not self.language or read_language(language) in ("", read_language(self.language)):
            return True
        folders = [folder for folder in self._split(url)[:2] if is_language(folder)]
        self.mirrors.update(
            folder for folder in folders if read_language(folder) == read_language(language)
        )
        return False

    def _note_versions(self, found: set[str], urls: tuple[str, ...]) -> None:
        undecided = not self.versions
        self.versions |= found
        if not undecided:
            return
        for url in urls:
            if len(self._current) < MIN_CURRENT and url != self.prefix and self.takes(url):
                self._current.add(url.partition("?")[0])
        if self.wanted in found:
            self.version = self.wanted
        elif len(self._current) < MIN_CURRENT:
            self.version = choose_version(found)

    def _is_foreign(self, folder: str) -> bool:
        if not self.language:
            return False
        if has_region(self.language) and has_region(folder):
            return folder.replace("_", "-").lower() != self.language
        return read_language(folder) != read_language(self.language)

    def _split(self, url: str) -> list[str]:
        """Return an address's first two folders below the prefix, or "" for a missing one."""
        if not url.startswith(self.prefix):
            return ["", ""]
        path = url.partition("?")[0].removeprefix(self.prefix)
        return [*path.split("/")[:-1], "", ""][:2]


def build_scope(options: CrawlOptions, prefix: str, language: str) -> Scope:
    """Return the initial scope for the requested pages below a prefix."""
    excluded, is_named = tuple(options.exclusions), bool(options.language)
    return Scope(prefix, language, options.version, exclusions=excluded, is_language_named=is_named)


def is_language(folder: str) -> bool:
    """Return whether a folder is named after a language, such as fr or pt-br."""
    match = LANGUAGE.match(folder)
    return bool(match) and match[1].lower() in LANGUAGES  # type: ignore[index]


def has_region(language: str) -> bool:
    match = LANGUAGE.match(language)
    return bool(match and match[2])


def read_language(text: str) -> str:
    """Return the language in a tag, such as en for en-US, or ""."""
    match = re.match(r"[a-z]{2,3}(?![a-z])", text.lower())
    return match[0] if match else ""


def find_versions(folders: set[str]) -> set[str]:
    """Return which folders are versions; a lone folder or plain numbers may be chapters instead."""
    named = {folder for folder in folders if folder.lower() in (*NAMED_VERSIONS, *UNRELEASED)}
    numbers = {folder for folder in folders if VERSION.match(folder)}
    sure = named | {number for number in numbers if not number.isdigit()}
    found = named | numbers
    return found if sure and len(found) > 1 else set()


def choose_version(folders: set[str]) -> str:
    for name in NAMED_VERSIONS:
        if name in folders:
            return name
    numbers = [folder for folder in folders if VERSION.match(folder)]
    final = [number for number in numbers if re.fullmatch(r"v?[\d.x]+", number)] or numbers
    return max(final, key=lambda text: [*map(int, re.findall(r"\d+", text))], default="")


def find_language_folder(url: str) -> str:
    """Return the language folder in a URL, or ""."""
    return next((folder for folder in _split_folders(url) if is_language(folder)), "")


def find_version_folder(url: str) -> str:
    """Return the version folder in a URL, or ""."""
    folders = _split_folders(url)
    for name in folders:
        if name.lower() in (*NAMED_VERSIONS, *UNRELEASED) or VERSION.match(name):
            return name
    return ""


def replace_folder(url: str, old: str, new: str) -> str:
    return url.replace(f"/{old}/", f"/{new}/", 1)


def _split_folders(url: str) -> list[str]:
    return urlsplit(url).path.split("/")[1:-1]


def describe_choices(scope: Scope, version: str, folder: str) -> tuple[str, ...]:
    """Describe the selected language and version, and how to select others.

    A language or version that the user selected is omitted.
    """
    notes = []
    if scope.language and not scope.is_language_named:
        others = name_others(mirror for mirror in scope.mirrors if is_language(mirror))
        there = f" (also there: {others})" if others else ""
        notes.append(f"language {shorten(scope.language)}{there}: choose another with --language")
    is_wanted = bool(scope.wanted) and scope.wanted in (version, folder)
    if not is_wanted and (version or scope.versions):
        named = version if folder in ("", version) else f"{version} ({folder})".lstrip()
        others = name_others(scope.versions - {folder})
        there = f" (also there: {others})" if others else ""
        taken = f"version {shorten(named)}" if named.strip() else "pages of no version"
        notes.append(f"{taken}{there}: choose another with --version")
    return tuple(notes)


def name_others(names: Iterable[str]) -> str:
    return name_some([shorten(name) for name in sorted(names)], MAX_SHOWN)


class Selection:
    """The pages selected by a crawl."""

    def __init__(self) -> None:
        self._pages: dict[str, str] = {}  # address of each distinct content
        self._canonical: dict[str, str] = {}  # canonical address of each URL with a query string
        self._missing = ""

    def __len__(self) -> int:
        return len(self._pages)

    def note_missing(self, page: FetchedPage | None) -> None:
        self._missing = identify(page.url, page.body) if page else ""

    def add(self, url: str, body: bytes, markup: Markup) -> None:
        """Add a page under the shortest address at which it was found."""
        if self._missing and identify(url, body) == self._missing:
            return
        content = hashlib.sha256(body).hexdigest()
        other = self._pages.get(content, url)
        self._pages[content] = min(url, other, key=lambda text: (len(text), text))
        if markup.canonical and "?" in url:
            self._canonical[url] = markup.canonical

    def list_urls(self) -> list[str]:
        urls = set(self._pages.values())
        covered = {twin for url in urls for twin in find_twins(url)}
        forms = {url for url, canonical in self._canonical.items() if canonical in urls - {url}}
        return sorted(urls - covered - forms)


def identify(url: str, body: bytes) -> str:
    name = url.rstrip("/").rpartition("/")[2].encode()
    return hashlib.sha256(body.replace(name, b"") if len(name) > SHORT else body).hexdigest()
