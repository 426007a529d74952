"""Measure how documentation of any generator is cut: titles, anchors, passages, code.

Each argument names a generator and a folder with HTML that it made, such as rustdoc=html/std. A
title is shared if another page has it, too. A fragment is what a link within the documentation
leads to, where the page has an element with that anchor; it resolves if a passage begins with it,
or holds it. Pages that only send on count for none.
"""

import re
import sys
import time
from collections import Counter
from contextlib import suppress
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

from rich.table import Table

from hookwright_documentation.cutting import split
from hookwright_documentation.cutting.conversion import convert_pages
from hookwright_documentation.cutting.markdown import clean_fragment
from hookwright_documentation.pages import FetchedPage

from .reporting import report

MAX_PAGES = 600
ANCHOR = re.compile(r"""\s(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^"'<>\s]+))""")
LINK = re.compile(r"""<a\b[^<>]*?\shref\s*=\s*["']?([^"'<>\s]*#[^"'<>\s]+)""", re.IGNORECASE)
COLUMNS = ("pages", "titles shared", "fragments", "passages", "blocks of code", "ms a page")


def main(arguments: list[str]) -> int:
    """Print a row for each generator."""
    table = Table(title="Documentation of other generators")
    for column in ("generator", *COLUMNS):
        table.add_column(column, justify="left" if column == "generator" else "right")
    for generator, _, folder in (argument.partition("=") for argument in arguments):
        table.add_row(generator, *measure(Path(folder)))
    report("generators", table, about=__doc__)
    return int(not arguments)


def measure(folder: Path) -> list[str]:
    """Return the cells of a row."""
    paths = sorted({path.resolve() for path in folder.rglob("*.html")})[:MAX_PAGES]
    fetched = [FetchedPage(path.as_uri(), "text/html", path.read_bytes()) for path in paths]
    start = time.process_time()
    pages = convert_pages(fetched, "2026-01-01")
    passages = [passage for page in pages for passage in split(page)]
    seconds = time.process_time() - start
    anchors = {f"{own.url}#{name}" for own in passages for name in (own.anchor, *own.aliases)}
    urls = {page.url for page in pages}
    linked = find_links([page for page in fetched if page.url in urls])
    titles = Counter(page.title for page in pages)
    shared = sum(number for number in titles.values() if number > 1)
    code = sum(page.text.count("\n```") for page in pages) // 2
    return [
        f"{len(pages):,}",
        f"{shared:,}",
        f"{len(linked & anchors):,} of {len(linked):,}",
        f"{len(passages):,}",
        f"{code:,}",
        f"{1_000 * seconds / max(len(fetched), 1):.0f}",
    ]


def find_links(pages: list[FetchedPage]) -> set[str]:
    """Return the addresses of the anchors in pages that links in them lead to."""
    known: set[str] = set()
    linked: set[str] = set()
    for page in pages:
        html = page.body.decode(errors="replace")
        for found in ANCHOR.finditer(html):
            known.add(
                f"{page.url}#{clean_fragment(unescape(''.join(filter(None, found.groups()))))}"
            )
        for link in LINK.findall(html):
            with suppress(ValueError):
                address, _, fragment = urljoin(page.url, unescape(link)).partition("#")
                linked.add(f"{address}#{clean_fragment(fragment)}")
    return known & linked


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
