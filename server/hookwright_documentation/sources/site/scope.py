"""Select the pages of a crawl: below a prefix, in one language and version, without duplicates."""

import hashlib
import re
from collections.abc import Collection, Iterable
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

    def note_markup(self, markup: Markup) -> None:
        """Exclude translations and other versions, which a page's links and metadata show."""
        self.note_links(markup.links)
        self._exclude(folder for url in markup.alternates.values() for folder in self._split(url))

    def note_links(self, urls: Collection[str]) -> None:
        heads = {self._split(url)[0] for url in urls if url.startswith(self.prefix)}
        languages = set(filter(is_language, heads))
        several = len(set(map(read_language, languages))) >= MIN_LANGUAGES
        if several and not self.language:
            self.language = "en"
        self._exclude(languages if several else filter(has_region, languages))
        is_undecided, found = not self.versions, find_versions(heads)
        self.versions |= found
        if not is_undecided:
            return
        for url in urls:
            if len(self._current) < MIN_CURRENT and url != self.prefix and self.takes(url):
                self._current.add(url.partition("?")[0])
        if self.wanted in found:
            self.version = self.wanted
        elif len(self._current) < MIN_CURRENT:
            self.version = choose_version(found)

    def note_language(self, url: str, language: str) -> bool:
        """Return whether a page is in the selected language; exclude its folder if it is not."""
        found = read_language(language)
        if not self.language or found in ("", read_language(self.language)):
            return True
        folders = filter(is_language, self._split(url))
        self.mirrors.update(folder for folder in folders if read_language(folder) == found)
        return False

    def _exclude(self, folders: Iterable[str]) -> None:
        found = filter(is_language, folders)
        self.mirrors.update(folder for folder in found if self._is_foreign(folder))

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


def is_version(folder: str) -> bool:
    return folder.lower() in (*NAMED_VERSIONS, *UNRELEASED) or VERSION.match(folder) is not None


def find_versions(folders: set[str]) -> set[str]:
    """Return which folders are versions; a lone folder or plain numbers may be chapters instead."""
    found = set(filter(is_version, folders))
    return found if len(found) > 1 and not all(map(str.isdigit, found)) else set()


def choose_version(folders: set[str]) -> str:
    if named := next((name for name in NAMED_VERSIONS if name in folders), ""):
        return named
    numbers = [folder for folder in folders if VERSION.match(folder)]
    final = [number for number in numbers if re.fullmatch(r"v?[\d.x]+", number)] or numbers
    return max(final, key=lambda text: [*map(int, re.findall(r"\d+", text))], default="")


def find_language_folder(url: str) -> str:
    """Return the language folder in a URL, or ""."""
    return next((folder for folder in _split_folders(url) if is_language(folder)), "")


def find_version_folder(url: str) -> str:
    """Return the version folder in a URL, or ""."""
    return next((name for name in _split_folders(url) if is_version(name)), "")


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
        others = name_others(filter(is_language, scope.mirrors))
        notes.append(f"language {shorten(scope.language)}{others}: choose another with --language")
    is_wanted = bool(scope.wanted) and scope.wanted in (version, folder)
    if not is_wanted and (version or scope.versions):
        named = version if folder in ("", version) else f"{version} ({folder})".lstrip()
        taken = f"version {shorten(named)}" if named.strip() else "pages of no version"
        others = name_others(scope.versions - {folder})
        notes.append(f"{taken}{others}: choose another with --version")
    return tuple(notes)


def name_others(names: Iterable[str]) -> str:
    named = name_some([shorten(name) for name in sorted(names)], MAX_SHOWN)
    return f" (also there: {named})" if named else ""


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
