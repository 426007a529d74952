"""Measure how well and how fast documentation passages are found by search.

The questions come from documentation-questions; git's manual is also searched for the description
of each command, after removing the descriptions from the index. Both documentations are HTML
folders, such as those that Debian's packages python3.11-doc and git-doc install in /usr/share/doc.
"""

import argparse
import re
import sqlite3
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, cycle, islice
from pathlib import Path

import numpy as np
from rich.table import Table

from hookwright_documentation.cutting import split
from hookwright_documentation.databases import INDEX_FILE
from hookwright_documentation.index import (
    DocumentationIndex,
    PassageHit,
    build_index,
)
from hookwright_documentation.pages import FetchedPage, NamedTarget, Passage
from tests.support.converted_pages import convert_pages

from .reporting import report

QUESTIONS = Path(__file__).parent / "documentation-questions"
SITE = "https://docs.example/"
REPEATS = re.compile(r"(^|/)(genindex[^/]*|py-modindex|search|contents)\.html$")
ENTRY = re.compile(r"(.+?) \S+:\S+ -?\d+ (\S*) (.*)")  # an entry of objects.inv
DESCRIPTION = "NAME"  # heading of a command's description
SIZES = (17_000, 50_000)  # numbers of passages
LIMITS = {17_000: 40.0, 50_000: 60.0}  # maximum milliseconds of CPU time (99th percentile)
MAX_SPACE = 3_300  # maximum bytes per passage
TOP_K = 5

Search = Callable[[str], Sequence[Passage | PassageHit]]


@dataclass(frozen=True)
class Question:
    """A question and its answers: anchors, or whole pages if an answer has no anchor."""

    text: str
    answers: frozenset[str]


@dataclass(frozen=True)
class Documentation:
    """A documentation and its question sets by name."""

    passages: Sequence[Passage]
    inventory: Sequence[NamedTarget]
    questions: Mapping[str, Sequence[Question]]


def main() -> int:
    """Print the tables; return 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", type=Path, help="the folder of Python's documentation")
    parser.add_argument("git", type=Path, help="the folder of git's")
    options = parser.parse_args()
    python, git = read_python(options.python), read_git(options.git)
    quality = Table("ranking", title=f"Answered among the first {TOP_K}")
    for each in (python, git):
        for name, questions in each.questions.items():
            quality.add_column(f"{name}: {len(questions)}", justify="right")
    for (name, first), (_, second) in zip(measure_all(python), measure_all(git), strict=True):
        quality.add_row(name, *(f"{share:.3f}" for share in (*first, *second)))
    times, missed = time_search(python)
    report("documentation-search", quality, times, about=__doc__)
    return int(missed)


def read_python(folder: Path) -> Documentation:
    questions = {
        "Python, questions": read_questions("python.tsv"),
        "Python, titles": read_questions("python-titles.tsv"),
    }
    inventory = list(read_inventory(folder / "objects.inv"))
    return Documentation(list(cut(folder)), inventory, questions)


def read_questions(name: str) -> list[Question]:
    """Return the questions in a file."""
    questions = []
    for line in (QUESTIONS / name).read_text().splitlines():
        text, answers = line.split("\t")
        questions.append(Question(text, frozenset(SITE + each for each in answers.split())))
    return questions


def read_inventory(path: Path) -> Iterator[NamedTarget]:
    """Yield the names in Sphinx's objects.inv, which is compressed after its first four lines."""
    compressed = path.read_bytes().split(b"\n", 4)[4]
    for line in zlib.decompress(compressed).decode().splitlines():
        if entry := ENTRY.fullmatch(line):
            name, address, title = entry.groups()
            yield NamedTarget(name if title == "-" else title, SITE + address.replace("$", name))


def read_git(folder: Path) -> Documentation:
    passages, descriptions = [], []
    for passage in cut(folder):
        if passage.headings[-1] == DESCRIPTION and " - " in passage.text:
            description = " ".join(passage.text.split(" - ", 1)[1].split())
            descriptions.append(Question(description, frozenset([passage.url])))
        else:
            passages.append(passage)
    questions = {"git, descriptions": descriptions, "git, tasks": read_questions("git.tsv")}
    return Documentation(passages, [], questions)


def cut(folder: Path) -> Iterator[Passage]:
    """Yield the passages of the pages in a folder, without duplicates."""
    fetched = []
    for path in sorted(folder.rglob("*.html")):
        address = path.relative_to(folder).as_posix()
        if not path.is_symlink() and not REPEATS.search(address):
            body = path.read_bytes()
            fetched.append(FetchedPage(SITE + address, "text/html; charset=utf-8", body))
    for page in convert_pages(fetched, "2026-11-23"):
        yield from split(page)


def measure_all(documentation: Documentation) -> Iterator[tuple[str, list[float]]]:
    passages = documentation.passages
    database = index_by_sqlite(passages)
    for name, distinct in (("SQLite FTS5", False), ("SQLite FTS5, each page once", True)):
        search = partial(find_by_sqlite, database, passages, distinct=distinct)
        yield name, measure(search, documentation)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / INDEX_FILE
        build_index(passages, documentation.inventory, path)
        index = DocumentationIndex(path)
        yield "Hookwright", measure(index.search, documentation)
        yield "Hookwright, further anchors", measure(partial(find_anchors, index), documentation)


def find_anchors(index: DocumentationIndex, query: str) -> list[PassageHit]:
    """Return the passages and their named anchors."""
    hits = index.search(query, TOP_K)
    return [
        replace(hit, anchor=anchor) for hit in hits for anchor in (hit.anchor, *dict(hit.further))
    ]


def measure(search: Search, documentation: Documentation) -> list[float]:
    """Return, for each set, the share of questions with an answer among the first results."""
    shares = []
    for questions in documentation.questions.values():
        answered = sum(is_answered(question, search(question.text)) for question in questions)
        shares.append(answered / len(questions))
    return shares


def is_answered(question: Question, found: Sequence[Passage | PassageHit]) -> bool:
    addresses = {each.url for each in found} | {f"{each.url}#{each.anchor}" for each in found}
    return bool(addresses & question.answers)


def index_by_sqlite(passages: Sequence[Passage]) -> sqlite3.Connection:
    """Return a database of the passages, indexed by stem with SQLite's FTS5."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE passages USING fts5(text, tokenize='porter unicode61')")
    texts = [(f"{' '.join(each.headings)} {each.text}",) for each in passages]
    database.executemany("INSERT INTO passages(text) VALUES (?)", texts)
    return database


def find_by_sqlite(
    database: sqlite3.Connection, passages: Sequence[Passage], query: str, *, distinct: bool
) -> list[Passage]:
    """Return the passages that SQLite finds, optionally only one per page."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
    rows = database.execute(
        "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT 200", (words,)
    )
    found: dict[str, Passage] = {}
    for (row,) in rows:
        passage = passages[row - 1]
        found.setdefault(passage.url if distinct else str(row), passage)
    return list(found.values())[:TOP_K]


def time_search(documentation: Documentation) -> tuple[Table, bool]:
    table = Table(title="Searching, CPU time")
    for column in ("passages", "built s", "bytes each", "p50 ms", "p99 ms"):
        table.add_column(column, justify="right")
    missed = False
    for size in SIZES:
        passages = [
            replace(passage, url=f"{passage.url}?{number // len(documentation.passages)}")
            for number, passage in enumerate(islice(cycle(documentation.passages), size))
        ]
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / INDEX_FILE
            start = time.process_time()
            build_index(passages, documentation.inventory, path)
            built = time.process_time() - start
            space = path.stat().st_size / size
            index = DocumentationIndex(path)
            index.search("load the vectors")
            times = []
            for question in chain.from_iterable(documentation.questions.values()):
                start = time.process_time()
                index.search(question.text, TOP_K)
                times.append((time.process_time() - start) * 1000)
            p50, p99 = np.percentile(times, [50, 99])
        missed |= p99 > LIMITS[size] or space > MAX_SPACE
        figures = (f"{built:.0f}", f"{space:,.0f}", f"{p50:.1f}", f"{p99:.1f}")
        table.add_row(f"{size:,}", *figures)
    return table, missed


if __name__ == "__main__":
    sys.exit(main())
