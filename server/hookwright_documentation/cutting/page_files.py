"""Store pages as markdown files in one canonical form, without duplicates."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
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
WAY_OUT = "rebuild it"
MAX_FIELD = 4_000  # characters
NAMED = 60  # maximum characters of a file name that come from the URL
LENGTH = 25  # minimum characters in a meaningful line
SHARE = 0.95  # minimum share of a page's lines that another page must contain
MIN_LINES = 5  # minimum lines in a page that can be a duplicate
MAX_PAGES = 50  # a line on more pages is ignored
MARKUP = re.compile(r"\]\([^()\s<>]*\)|[\[\]]|\{#[^{}]*\}|^#+ ")


def write_page(page: Page, folder: Path) -> Path:
    check(page, page.url)
    path = folder / name_page(page.url)
    with replacing(path) as file:
        file.write(format_page(page))
    return path


def read_page(path: Path) -> Page:
    """Read a page from a file; raises RefusedError."""
    shown = shorten(path.name)
    try:
        content = read_regular(path)
    except OSError as error:
        raise RefusedError(f"{shown}: cannot be read: {error.strerror}") from None
    page = parse_page(content.decode(errors="replace"), shown)
    check(page, shown)
    if format_page(page).encode() != content or path.name != name_page(page.url):
        raise RefusedError(f"{shown}: not a valid page file: {WAY_OUT}")
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


def parse_page(content: str, shown: str) -> Page:
    """Read a page; `format_page` writes it differently if the content is not in canonical form."""
    lines = [*content.split("\n", len(FIELDS) + 3), *[""] * len(FIELDS)]
    values: dict[str, str] = {}
    for name, line in zip(FIELDS, lines[1:], strict=False):
        with suppress(ValueError, RecursionError):
            values[name] = json.loads(line.removeprefix(f"{name}: "))
        if not isinstance(values.get(name), str):
            raise RefusedError(f"{shown}: {name}: expected {name}: \"...\", got '{shorten(line)}'")
    return Page(**values, text=lines[len(FIELDS) + 3])


def check(page: Page, shown: str) -> None:
    """Check that a page can be stored and shared; raises RefusedError."""
    shown = shorten(shown)
    for name in FIELDS:
        value = getattr(page, name)
        if len(value) > MAX_FIELD or set("\t\n") & set(value) or remove_hidden(value) != value:
            raise RefusedError(
                f"{shown}: {name}: expected up to {MAX_FIELD} visible characters in one line,"
                f" got '{shorten(value)}'"
            )
    if not is_address(page.url):
        raise RefusedError(
            f"{shown}: url: expected {', '.join(SCHEMES[:-1])} or {SCHEMES[-1]}, without a"
            f" fragment, got '{shorten(page.url)}'"
        )
    if not DATE.match(page.crawled):
        raise RefusedError(f"{shown}: crawled: expected YYYY-MM-DD, got '{shorten(page.crawled)}'")
    if remove_hidden(page.text) != page.text:
        raise RefusedError(f"{shown}: the text has invisible characters: {WAY_OUT}")
    if has_open_fence(page.text):
        raise RefusedError(f"{shown}: the text has an unclosed code block: {WAY_OUT}")


def is_address(url: str) -> bool:
    try:
        return urlsplit(url).scheme in SCHEMES and "://" in url and "#" not in url
    except ValueError:
        return False


def has_open_fence(text: str) -> bool:
    return any(code["open"] is not None for code in FENCED.finditer(text))


def find_repeats(pages: Iterable[Page]) -> set[str]:
    """Return the URLs of pages that consist of other pages; one page of identical pages is kept."""
    lines = {page.url: read_lines(page) for page in pages}
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


def read_lines(page: Page) -> set[int]:
    plain = (MARKUP.sub("", line).strip() for line in page.text.split("\n"))
    return {hash(line) for line in plain if len(line) >= LENGTH}
