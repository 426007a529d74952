"""Measure how much code, table data and text the cutter keeps, and how fast it is.

Each folder contains the HTML of one documentation. The standard library's HTML parser, which the
cutter does not use, counts the expected content. The exit code is 1 if a goal is missed.
"""

import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from rich.table import Table

from hookwright_console.text import remove_hidden
from hookwright_documentation.cutting import split
from hookwright_documentation.cutting.markdown import strip_markup
from hookwright_documentation.pages import FetchedPage, Page, Passage
from tests.support.converted_pages import convert_page

from .reporting import report

SITE = "https://docs.example/"
CODE_GOAL, ROW_GOAL, NAVIGATION_GOAL = 1.0, 0.99, 0
FENCED = re.compile(r"^( *)(`{3,})[^`\n]*\n(.*?)\n\1\2$", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"\w+")
AROUND = re.compile(
    r"(?:^|\s)(?:sphinxsidebar\w*|related|navheader|navfooter|toc|table-of-contents|footer"
    r"|breadcrumbs?|column2|header-container|hd|ft|nav|mobile-nav)(?:\s|$)"
)
VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr".split()  # noqa: SIM905
)
UNSEEN = frozenset(("script", "style", "template", "noscript", "head", "title"))
ENDED_BY = {  # each start tag, and the open elements that it closes
    "li": ("li",),
    "dt": ("dt", "dd"),
    "dd": ("dt", "dd"),
    "p": ("p",),
    "option": ("option",),
    "tr": ("td", "th", "tr"),
    "td": ("td", "th"),
    "th": ("td", "th"),
}
BLOCKS = frozenset(("p", "li", "dt", "dd", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "div"))


@dataclass
class Cell:
    """A table cell."""

    head: bool
    text: str = ""

    @property
    def words(self) -> list[str]:
        """The words of the cell's text."""
        return WORD.findall(remove_hidden(self.text))


@dataclass
class Rows:
    """A table as rows of cells."""

    attributes: str
    rows: list[list[Cell]] = field(default_factory=list)
    nested: bool = False

    def is_data(self) -> bool:
        """Return whether the table has several columns and rows, and so contains data."""
        if self.nested or re.search("highlighttable|presentation|Navigation", self.attributes):
            return False
        wide = [row for row in self.rows if len(row) > 1 and sum(bool(c.words) for c in row) > 1]
        return len(wide) > 1


class Counted(HTMLParser):
    """Count the content of a page.

    Attributes:
        code: The text of each `pre`.
        tables: The tables that contain data.
        around: The texts of elements around the content, such as navigation.
        content: The texts of all other elements.

    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.code: list[str] = []
        self.tables: list[Rows] = []
        self.around: set[str] = set()
        self.content: set[str] = set()
        self.stack: list[tuple[str, str]] = []  # each open element's tag, and its id and classes
        self.open_tables: list[Rows] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()
        self.tables = [table for table in self.tables if table.is_data()]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        while self.stack and self.stack[-1][0] in ENDED_BY.get(tag, ()):
            self.handle_endtag(self.stack[-1][0])
        if tag in VOID:
            if tag == "br" and self.code and self.is_in("pre"):
                self.code[-1] += "\n"
            return
        if tag in BLOCKS or tag == "a":
            self.end_text()
        named = dict(attrs)
        marks = f"{named.get('id') or ''} {named.get('class') or ''} {named.get('role') or ''}"
        self.stack.append((tag, marks + (" " + (named.get("summary") or ""))))
        if tag == "pre":
            self.code.append("")
        elif tag == "table":
            if self.open_tables:
                self.open_tables[-1].nested = True
            table = Rows(self.stack[-1][1], nested=bool(self.open_tables) or self.is_around())
            self.open_tables.append(table)
            self.tables.append(table)
        elif tag == "tr" and self.open_tables:
            self.open_tables[-1].rows.append([])
        elif tag in ("td", "th") and self.open_tables and self.open_tables[-1].rows:
            self.open_tables[-1].rows[-1].append(Cell(tag == "th"))

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS or tag == "a":
            self.end_text()
        if tag in BLOCKS and self.open_tables and self.open_tables[-1].rows[-1:] not in ([], [[]]):
            self.open_tables[-1].rows[-1][-1].text += " "
        if not self.is_in(tag):
            return
        while self.stack:
            closed = self.stack.pop()[0]
            if closed == "table" and self.open_tables:
                self.open_tables.pop()
            if closed == tag:
                return

    def handle_data(self, data: str) -> None:
        if any(tag in UNSEEN for tag, _ in self.stack):
            return
        if self.is_in("pre"):
            if not any("viewcode-back" in marks for _, marks in self.stack):
                self.code[-1] += data
            return
        self.texts.append(data)
        marked = any("headerlink" in marks for _, marks in self.stack)
        if not marked and self.open_tables and self.open_tables[-1].rows[-1:] not in ([], [[]]):
            self.open_tables[-1].rows[-1][-1].text += data

    def end_text(self) -> None:
        """Store the text collected since the last block ended."""
        text = " ".join("".join(self.texts).split())
        self.texts.clear()
        if not text:
            return
        if not self.is_around():
            self.content.add(text)
        elif self.is_in("a"):
            self.around.add(text)

    def is_in(self, tag: str) -> bool:
        """Return whether an element with this tag is open."""
        return any(open_tag == tag for open_tag, _ in self.stack)

    def is_around(self) -> bool:
        """Return whether a navigation element is open."""
        return any(
            tag in ("nav", "footer") or "navigation" in marks or AROUND.search(marks)
            for tag, marks in self.stack
        )


@dataclass
class Result:
    """The content of a documentation that the cutter kept."""

    pages: int = 0
    passages: int = 0
    code: int = 0
    fenced: int = 0
    rows: int = 0
    written: int = 0
    navigation: int = 0
    seconds: float = 0.0
    missed: list[str] = field(default_factory=list)


def main(folders: list[str]) -> int:
    """Print the table; return 1 if a goal is missed."""
    table = Table(title="What the cutter keeps")
    for column in ("documentation", "pages", "passages", "code", "rows", "around", "ms"):
        right = column != "documentation"
        table.add_column(column, justify="right" if right else "left", no_wrap=right)
    reached = bool(folders)
    missed: list[str] = []
    for folder in map(Path, folders):
        result = measure(folder)
        reached &= result.fenced >= CODE_GOAL * result.code
        reached &= result.written >= ROW_GOAL * result.rows
        reached &= result.navigation <= NAVIGATION_GOAL
        missed += result.missed
        table.add_row(
            str(folder),
            f"{result.pages:,}",
            f"{result.passages:,}",
            f"{result.fenced:,}/{result.code:,}",
            f"{result.written:,}/{result.rows:,}",
            f"{result.navigation:,}",
            f"{1_000 * result.seconds / max(result.pages, 1):.1f}",
        )
    report("cutting", table, about=__doc__)
    for line in missed[:40]:
        print(line)
    return int(not reached)


def measure(folder: Path) -> Result:
    """Cut the pages in a folder, and compare the result with their content."""
    result = Result()
    for path in sorted({path.resolve() for path in folder.rglob("*.html")}):
        body = path.read_bytes()
        start = time.process_time()
        page = convert_page(FetchedPage(SITE + path.name, "text/html", body), "2026-01-01")
        passages = split(page) if page else []
        result.seconds += time.process_time() - start
        result.pages += 1
        if page is not None:
            result.passages += len(passages)
            compare(path.name, page, passages, Counted(body.decode(errors="replace")), result)
    return result


def compare(
    name: str, page: Page, passages: list[Passage], counted: Counted, result: Result
) -> None:
    """Add to a result how much of a page's content its markdown and passages contain."""
    codes = {strip_code(code) for code in read_fences(page.text)}
    whole = strip_code("".join("".join(read_fences(passage.text)) for passage in passages))
    for code in filter(None, map(strip_code, counted.code)):
        kept = code in codes and code in whole
        result.code += 1
        result.fenced += kept
        if not kept:
            result.missed.append(f"{name}: code: {code[:80]}")
    rows = [set(WORD.findall(strip_row(line))) for line in page.text.split("\n") if "|" in line]
    for table in counted.tables:
        for row in filter(None, table.rows):
            words = {word for cell in row for word in cell.words}
            kept = any(words <= row for row in rows)
            result.rows += 1
            result.written += kept
            if not kept:
                result.missed.append(f"{name}: row: {' '.join(words)[:80]}")
    for line in FENCED.sub("", page.text).split("\n"):
        plain = strip_markup(line.lstrip("-# "))
        if plain in counted.around - counted.content and plain != page.title:
            result.navigation += 1
            result.missed.append(f"{name}: navigation: {plain[:80]}")


def read_fences(text: str) -> Iterator[str]:
    for fence in FENCED.finditer(text):
        yield fence[3] + "\n"


def strip_code(code: str) -> str:
    return "".join(code.replace("\u200b", "").split())


def strip_row(line: str) -> str:
    plain = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", re.sub(r"\]\([^()\s<>]*\)", "]", line))
    return plain.replace("`", "").replace("^", "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
