"""The manifest of an archive: its content, origin and licence.

The manifest is canonical JSON: any other spelling is rejected.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from hookwright_console.errors import RefusedError
from hookwright_console.text import is_visible, shorten
from hookwright_documentation import databases
from hookwright_documentation.cutting import page_files
from hookwright_documentation.cutting.licenses import canonicalize
from hookwright_documentation.recipes.recipe import Recipe, take_lists
from hookwright_retrieval.terms import STOP_WORDS

FORMAT = "hookwright-documentation/1"
MANIFEST = "manifest.json"
LICENSE = "license.txt"
PAGES = "pages/"
LICENSE_PAGE = "https://spdx.org/licenses/{}.html"
WAY_OUT = "ask for a new hookwright share export of it"
PAGE = re.compile(PAGES + page_files.NAME.pattern)
DIGEST = re.compile(r"[0-9a-f]{64}\Z")
LANGUAGE = re.compile(r"(?:[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4})?\Z")
# Machine-specific options: how the database is indexed and where its files are.
LOCAL = ("name", "keywords", "source", "license", "engine", "leann", "python", "is_strangers")
OWN_IDS = ("LicenseRef-", "DocumentRef-", "AdditionRef-")
MAX_ARCHIVE = 100_000_000  # bytes
MAX_UNPACKED = 400_000_000  # bytes
MAX_RATIO = 200  # unpacked bytes per packed byte; markdown has about 10
MAX_MANIFEST = 8_000_000  # bytes
MAX_PAGES = 20_000
MAX_PAGE = 5_000_000  # bytes; the Rust reference on a single page has 1.5 million
MAX_LINES = 100_000  # lines per page; the Rust reference has 31,000
MAX_DEFINITIONS = 1_000  # link definitions per page; the cutter writes none, but code may match
MAX_NESTING = 20  # nesting levels of lists and block quotes that the parser enters
# Maximum number of parsed lines per archive, and of list and quote markers before those lines:
# parsing one takes up to 0.05 ms. Only pages with code in lists or possible link definitions are
# parsed: 26,000 of the 114,000 lines of Jinja, Click and numpy's API.
MAX_PARSED = 1_000_000
MAX_LICENSE = 500_000  # bytes of a licence's text
MAX_TEXT = 4_000  # characters of a text in the manifest
MAX_KEYWORDS = 10  # keywords, each of which makes the hook deny searches
MAX_LISTED = 100  # domains, or address prefixes to exclude
MAX_CRAWL = 100_000  # pages that a recipe may request
MAX_KEYWORD = 200  # characters, the same limit as in the schema
WORD = re.compile(r"(\w+)(?:['\u2019]\w+)?")
# Words that do not indicate a search's subject, in addition to the stop words. Names of languages
# and tools such as go, make and next are not listed, because the hook weighs them itself.
ORDINARY = STOP_WORDS | frozenset(
    WORD.findall(
        """
        add after again all also always another back because been before being best better
        between both call can cannot change check code come day different doesn don down each
        either else error every example examples explain few file find first fix give good great
        guide had hello help her here him his however isn just know last less let like list
        little long look many may me mean meaning might more most much must my name never new
        nothing now number off old one only other out over own part people please problem
        question read right run said same say see set she should show simple since something
        start still such take tell than thank thanks thing think those through time too try
        tutorial two under until up update us used using very wants way we well while without
        word work working world would year yes yet you
        """
    )
)


class ForeignArchiveError(RefusedError):
    """The archive was not written by `hookwright share export`."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: {WAY_OUT}")


@dataclass(frozen=True)
class SharedFile:
    """A file in an archive: path, length in bytes, hexadecimal SHA-256."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class SharedManifest:
    """An archive's description of itself."""

    recipe: Recipe  # the database's recipe; the source is "" if it cannot be shared
    prefix: str  # prefix of all page addresses
    version: str  # documented version, or ""
    crawled: str  # date of the crawl, as YYYY-MM-DD
    # The licence's text, if any, and the pages, in order. If the licence is unknown, these are only
    # checksums, and the archive does not contain the files.
    files: tuple[SharedFile, ...]
    copyright: str = ""  # the source's copyright notice, or ""

    @property
    def has_pages(self) -> bool:
        """Whether the archive contains the pages, which requires a known licence."""
        return bool(self.recipe.license)

    @property
    def pages(self) -> tuple[SharedFile, ...]:
        return tuple(file for file in self.files if file.name != LICENSE)

    @property
    def attribution(self) -> str:
        """The attribution for the pages, and how they were changed."""
        return (
            f"{self.recipe.title}, from {self.recipe.source or self.prefix}, fetched on "
            f"{self.crawled} and converted to markdown by Hookwright"
        )

    @property
    def license_urls(self) -> list[str]:
        ids = re.findall(r"[\w.+-]+", self.recipe.license)
        words = ("AND", "OR", "WITH")
        return [
            LICENSE_PAGE.format(identifier.rstrip("+"))
            for identifier in ids
            if identifier not in words and not identifier.startswith(OWN_IDS)
        ]


def format_manifest(manifest: SharedManifest) -> bytes:
    recipe = manifest.recipe
    licensed: dict[str, Any] | None = None
    if recipe.license:
        licensed = {
            "id": recipe.license,
            "urls": manifest.license_urls,
            "attribution": manifest.attribution,
        }
        licensed |= {"copyright": manifest.copyright} if manifest.copyright else {}
    value = {
        "format": FORMAT,
        "name": recipe.name,
        "keywords": [*recipe.keywords],
        "description": recipe.title,
        "source": recipe.source,
        "prefix": manifest.prefix,
        "options": recipe.list_chosen(*LOCAL),
        "version": manifest.version,
        "crawled": manifest.crawled,
        "license": licensed,
        "pages": len(manifest.pages),
        "bytes": sum(file.size for file in manifest.files),
        "files": [{"name": o.name, "size": o.size, "sha256": o.sha256} for o in manifest.files],
    }
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def parse_manifest(content: bytes, shown: str) -> SharedManifest:
    try:
        value = json.loads(content)
        if value["format"] != FORMAT:
            raise RefusedError(
                f"{shown}: the format is '{shorten(str(value['format']))}', not {FORMAT}: "
                "update hookwright"
            )
        licensed = value["license"]
        recipe = Recipe(
            value["name"],
            tuple(value["keywords"]),
            value["source"],
            license="" if licensed is None else licensed["id"],
            **take_lists(value["options"]),
        )
        databases.check_kinds(recipe)
        files = tuple(SharedFile(**file) for file in value["files"])
        manifest = SharedManifest(
            recipe,
            value["prefix"],
            value["version"],
            value["crawled"],
            files,
            (licensed or {}).get("copyright", ""),
        )
        if fault := find_fault(manifest):
            raise ForeignArchiveError(f"{shown}: {MANIFEST}: {fault}")
        same = format_manifest(manifest) == content
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ForeignArchiveError(f"{shown}: {MANIFEST} is not Hookwright's") from None
    if not same:
        raise ForeignArchiveError(f"{shown}: {MANIFEST} was not written by share export")
    return manifest


def find_fault(manifest: SharedManifest) -> str:
    """Return the first error in a manifest, such as "prefix: is empty", or ""."""
    recipe, prefix = manifest.recipe, manifest.prefix
    folder, keywords = name_folder(recipe.name), recipe.keywords
    texts = [
        ("source", recipe.source),
        ("prefix", prefix),
        ("version", manifest.version),
        ("description", recipe.title),
        ("license.copyright", manifest.copyright),
    ]
    for name, option in recipe.list_chosen(*LOCAL).items():
        several = option if isinstance(option, list) else [option]
        texts += [(f"options.{name}", text) for text in several if isinstance(text, str)]
    seen = f"expected up to {MAX_TEXT:,} visible characters"
    checks = [(f"{name}: {seen}", is_line(text, MAX_TEXT)) for name, text in texts]
    checks += [
        (f"options.{name}: expected up to {MAX_LISTED}", len(getattr(recipe, name)) <= MAX_LISTED)
        for name in ("domains", "exclusions")
    ]
    names = [file.name for file in manifest.files]
    pages = names[1:] if names[:1] == [LICENSE] else names
    are_named = pages == sorted(set(pages)) and all(map(PAGE.match, pages))
    checks += [
        ("name: not a valid database name", bool(databases.NAME.match(recipe.name))),
        (f"keywords: expected up to {MAX_KEYWORDS}", len(keywords) <= MAX_KEYWORDS),
        (
            "keywords: contains an empty or invisible item",
            all(o and is_line(o, MAX_KEYWORD) for o in keywords),
        ),
        (f"options.max_pages: expected 1 to {MAX_CRAWL:,}", 0 < recipe.max_pages <= MAX_CRAWL),
        ("options.language: not a language such as fr", bool(LANGUAGE.match(recipe.language))),
        ("prefix: is empty", prefix != ""),
        (f"prefix: expected {folder}", not prefix.startswith("file:") or prefix == folder),
        ("crawled: expected YYYY-MM-DD", bool(page_files.DATE.match(manifest.crawled))),
        ("license: not an SPDX identifier", canonicalize(recipe.license) == recipe.license),
        (f"files: expected 1 to {MAX_PAGES:,} pages", 0 < len(pages) <= MAX_PAGES),
        ("files: not the names of pages, in order", are_named),
    ]
    for file in manifest.files:
        most = MAX_LICENSE if file.name == LICENSE else MAX_PAGE
        is_number = type(file.size) is int
        size = f"{file.size:,}" if is_number else shorten(str(file.size))
        expected = f"files: {file.name} has {size} bytes: expected 1 to {most:,}"
        checks.append((expected, is_number and 0 < file.size <= most))
        checks.append((f"files: {file.name} has no SHA-256", bool(DIGEST.match(file.sha256))))
    return next((fault for fault, holds in checks if not holds), "")


def is_line(text: str, most: int) -> bool:
    return len(text) <= most and is_visible(text)


def name_folder(name: str) -> str:
    return f"file:///{quote(name)}/"


def refuse_ordinary(keywords: Iterable[str], whose: str) -> None:
    """Raise RefusedError if an untrusted keyword is a word that occurs in most searches."""
    for keyword in keywords:
        if all(word in ORDINARY for word in WORD.findall(keyword.casefold())):
            raise RefusedError(
                f"{whose} has the keyword '{shorten(keyword)}', too common in searches about "
                "anything: ask its owner for another"
            )
