"""Store pages as markdown files in one canonical form, without duplicates."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import read_regular
from hookwright_console.text import remove_hidden, shorten
from hookwright_documentation.cutting.markdown import FENCED
from hookwright_documentation.pages import Page

FIELDS = ("url", "title", "version", "license", "crawled")
MARK = "---\n"
SUFFIX = ".md"
SCHEMES = ("http", "https", "file", "python", "man", "pipe")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
NAME = re.compile(r"[a-z0-9-]{0,60}[a-z0-9]{16}\.md\Z")
OTHERS = re.compile(r"[^a-z0-9]+")
MAX_FIELD = 4_000  # characters
NAMED = 60  # maximum characters of a file name that come from the URL
LENGTH = 25  # minimum characters in a meaningful line
SHARE = 0.95  # minimum share of a page's lines that another page must contain
MIN_LINES = 5  # minimum lines in a page that can be a duplicate
MAX_PAGES = 50  # a line on more pages is ignored
MARKUP = re.compile(r"\]\([^()\s<>]*\)|[\[\]]|\{#[^{}]*\}|^#+ ")


def write_page(page: Page, folder: Path) -> Path:
    if not is_valid(page):
        raise RefusedError(f"{shorten(page.url)}: its address, title or text is not valid")
    path = folder / name_page(page.url)
    with replacing(path) as file:
        file.write(format_page(page))
    return path


def read_page(path: Path) -> Page:
    """Read a page from a file; raises RefusedError."""
    shown = shorten(path.name)
    try:
        page = parse_page(read_regular(path), path.name)
    except OSError as error:
        raise RefusedError(f"{shown}: cannot be read: {error.strerror}") from None
    if not page or not is_valid(page):
        raise RefusedError(f"{shown}: not a valid page file: rebuild it")
    return page


def list_pages(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if NAME.match(path.name))


def name_page(url: str) -> str:
    readable = OTHERS.sub("-", url.partition("://")[2].lower()).strip("-")
    readable = readable[-NAMED + 1 :].lstrip("-")
    return f"{readable}-{sha256(url.encode()).hexdigest()[:16]}{SUFFIX}".lstrip("-")


def format_page(page: Page) -> str:
    fields = (f"{name}: {json.dumps(getattr(page, name), ensure_ascii=False)}\n" for name in FIELDS)
    return f"{MARK}{''.join(fields)}{MARK}\n{page.text}"


def parse_page(content: bytes, name: str) -> Page | None:
    """Return the page in a file, or None unless `write_page` gives it this content and name."""
    lines = [*content.decode(errors="replace").split("\n", len(FIELDS) + 3), *[""] * len(FIELDS)]
    try:
        fields = zip(FIELDS, lines[1:], strict=False)
        values = {field: json.loads(line.removeprefix(f"{field}: ")) for field, line in fields}
        page = Page(**values, text=lines[len(FIELDS) + 3])
        is_text = all(isinstance(value, str) for value in values.values())
        is_same = is_text and format_page(page).encode() == content and name_page(page.url) == name
    except (ValueError, AttributeError, RecursionError):
        return None
    return page if is_same else None


def is_valid(page: Page) -> bool:
    """Return whether a page can be stored and shared."""
    texts = [getattr(page, name) for name in FIELDS]
    return (
        max(map(len, texts)) <= MAX_FIELD
        and not any(set("\t\n") & set(text) or remove_hidden(text) != text for text in texts)
        and is_address(page.url)
        and bool(DATE.match(page.crawled))
        and remove_hidden(page.text) == page.text
        and not has_open_fence(page.text)
    )


def is_address(url: str) -> bool:
    try:
        return urlsplit(url).scheme in SCHEMES and "://" in url and "#" not in url
    except ValueError:
        return False


def has_open_fence(text: str) -> bool:
    return any(code["open"] is not None for code in FENCED.finditer(text))


def find_repeats(pages: Iterable[Page]) -> set[str]:
    """Return the URLs of pages that consist of other pages; one page of identical pages is kept."""
    lines = {
        page.url: {
            hash(plain)
            for line in page.text.split("\n")
            if len(plain := MARKUP.sub("", line).strip()) >= LENGTH
        }
        for page in pages
    }
    count = Counter(line for own in lines.values() for line in own)
    owners: dict[int, list[str]] = {}
    for url, own in lines.items():
        own -= {line for line in own if count[line] > MAX_PAGES}
        for line in own:
            owners.setdefault(line, []).append(url)
    repeats: set[str] = set()
    for url in sorted(lines, key=lambda url: (-len(lines[url]), -len(url), url)):
        own = lines[url]
        shared = Counter(other for line in own for other in owners[line] if other not in repeats)
        del shared[url]
        whole = {other for other in shared if shared[other] >= SHARE * len(lines[other])}
        repeated = sum(not whole.isdisjoint(owners[line]) for line in own)
        if len(own) >= MIN_LINES and repeated >= SHARE * len(own):
            repeats.add(url)
    return repeats
