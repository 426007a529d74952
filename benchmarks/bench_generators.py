"""Measure how well documentation from different generators is cut and found.

Each argument names a generator and a folder of its HTML, such as rustdoc=html/std; at most 40
evenly spaced pages of each folder are used. A title is shared if another page has the same one. A
fragment is the target of a link within the documentation, if the target page has an element with
that anchor; it resolves if a passage starts at the anchor or contains it. A navigation line is a
line at the top or bottom of a page that over half of the pages share, except headings. Ten pages
are searched for by title, and count as found if they are among the first five results. Redirect
pages are ignored.
"""

import re
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

from rich.table import Table

from hookwright_documentation.cutting import split
from hookwright_documentation.cutting.markdown import clean_fragment
from hookwright_documentation.databases import INDEX_FILE
from hookwright_documentation.index import DocumentationIndex, build_index
from hookwright_documentation.pages import FetchedPage, Page, Passage
from tests.support.converted_pages import convert_pages

from .reporting import report

MAX_PAGES = 40
ASKED = 10  # pages to search for, per documentation
ENDS = 5  # lines at the top and at the bottom of a page
TOP_K = 5
MARKS = ("#", "`")  # prefixes of headings and fences
ANCHOR = re.compile(r"""\s(?:id|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^"'<>\s]+))""")
LINK = re.compile(r"""<a\b[^<>]*?\shref\s*=\s*["']?([^"'<>\s]*#[^"'<>\s]+)""", re.IGNORECASE)
COLUMNS = (
    *("pages", "titles shared", "fragments", "passages", "blocks of code", "navigation", "found"),
    "ms a page",
)


def main(arguments: list[str]) -> int:
    """Print a row per generator."""
    table = Table(title="Documentation of other generators")
    for column in ("generator", *COLUMNS):
        table.add_column(column, justify="left" if column == "generator" else "right")
    for generator, _, folder in (argument.partition("=") for argument in arguments):
        table.add_row(generator, *measure(Path(folder)))
    report("generators", table, about=__doc__)
    return int(not arguments)


def measure(folder: Path) -> list[str]:
    """Return the cells of a row."""
    paths = sorted({path.resolve() for path in folder.rglob("*.html")})
    paths = paths[:: max(len(paths) // MAX_PAGES, 1)][:MAX_PAGES]
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
        f"{count_navigation(pages):,}",
        f"{count_found(pages, passages)} of {min(ASKED, len(pages))}",
        f"{1_000 * seconds / max(len(fetched), 1):.0f}",
    ]


def count_navigation(pages: list[Page]) -> int:
    """Return the number of lines around the text that over half of the pages share."""
    ends = []
    for page in pages:
        lines = [line for line in page.text.split("\n") if any(map(str.isalpha, line))]
        ends.append({line for line in lines[:ENDS] + lines[-ENDS:] if not line.startswith(MARKS)})
    count = Counter(line for own in ends for line in own)
    return sum(number for number in count.values() if number > max(len(pages) / 2, 1))


def count_found(pages: list[Page], passages: list[Passage]) -> int:
    """Return how many of ten pages are among the first results of a search for their titles."""
    asked = pages[:: max(len(pages) // ASKED, 1)][:ASKED]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / INDEX_FILE
        build_index(passages, [], path)
        index = DocumentationIndex(path)
        found = [{hit.url for hit in index.search(page.title, TOP_K)} for page in asked]
    return sum(page.url in urls for page, urls in zip(asked, found, strict=True))


def find_links(pages: list[FetchedPage]) -> set[str]:
    """Return the targets of the links to anchors on these pages."""
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
