"""Build a documentation's index."""

import json
import math
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urldefrag, urlsplit

from hookwright_console.files.atomic import replacing
from hookwright_documentation.index.index_file import FINISH, SCHEMA
from hookwright_documentation.index.vectors import embed_passages
from hookwright_documentation.index.words import list_trigrams, prepare
from hookwright_documentation.pages import NamedTarget, Passage
from hookwright_retrieval.embedders import make_plain

MAX_TEXT = 200  # maximum number of characters used from a link's text
REPEATED = 5  # maximum number of times a link text is indexed per passage
BATCH = 500  # passages between progress reports
SPELLED = re.compile(r"[^\W\d_]{4,40}")  # a word whose misspellings are corrected
CHANGES = re.compile(  # in the address or title of a page about changes between versions
    r"change-?log|what.?s.?new|release.?notes|\brelnotes\b"
    r"|(^|/)(releases?/|(changes|history|news)(\.\w+)?/?$)",
    re.IGNORECASE,
)

Progress = Callable[[int, int], None]  # called with the numbers of done and total passages


def build_index(
    passages: Sequence[Passage],
    inventory: Sequence[NamedTarget],
    path: Path,
    about: Mapping[str, str] = MappingProxyType({}),
    progress: Progress | None = None,
) -> None:
    """Write the index of passages in page order; the file appears only when complete.

    `inventory` has the entries from the site's own index, `about` the documentation's name,
    version, language, licence and date. Raises OSError if the file cannot be written.
    """
    try:
        with (
            replacing(path, "wb") as file,
            closing(sqlite3.connect(file.name, isolation_level=None)) as connection,
        ):
            connection.executescript(SCHEMA)
            connection.execute("BEGIN")
            connection.executemany("INSERT INTO meta VALUES (?, ?)", about.items())
            write_passages(connection, passages, inventory, about.get("version", ""), progress)
            connection.execute("COMMIT")
            connection.executescript(FINISH)
    except sqlite3.Error as error:  # for example because the disk is full
        raise OSError(None, str(error), str(path)) from None


def write_passages(
    connection: sqlite3.Connection,
    passages: Sequence[Passage],
    inventory: Sequence[NamedTarget],
    version: str,
    progress: Progress | None,
) -> None:
    names, links = resolve_links(passages, inventory)
    vocabulary: dict[str, None] = {}
    pages: dict[str, int] = {}
    for number, (passage, stored) in enumerate(
        zip(passages, embed_passages(passages), strict=True), 1
    ):
        title, *_ = *above, own = passage.headings or ("",)
        if passage.url not in pages:
            pages[passage.url] = len(pages) + 1
            described = (make_plain(passage.url), make_plain(title), version)
            is_about_changes = any(map(CHANGES.search, (urlsplit(passage.url).path, title)))
            connection.execute(
                "INSERT INTO pages VALUES (?, ?, ?, ?, ?)",
                (len(pages), *described, is_about_changes),
            )
        shown = (passage.anchor, json.dumps(passage.headings, ensure_ascii=False), passage.text)
        connection.execute(
            "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(number, pages[passage.url], math.log1p(links[number - 1])),
                *stored,
                *map(make_plain, shown),
            ),
        )
        columns = (f"{own} {passage.anchor}", " ".join(above[-2:]), passage.text, names[number - 1])
        prepared = list(map(prepare, columns))
        connection.execute(
            "INSERT INTO words(rowid, heading, above, text, links) VALUES (?, ?, ?, ?, ?)",
            (number, *prepared),
        )
        vocabulary.update(dict.fromkeys(SPELLED.findall(" ".join(prepared[:3]))))
        if progress and (number == len(passages) or number % BATCH == 0):
            progress(number, len(passages))
    connection.executemany("INSERT INTO vocabulary VALUES (?, ?)", enumerate(vocabulary, 1))
    connection.executemany(
        "INSERT INTO spellings(rowid, trigrams) VALUES (?, ?)",
        ((row, " ".join(list_trigrams(word))) for row, word in enumerate(vocabulary, 1)),
    )


def resolve_links(
    passages: Sequence[Passage], inventory: Iterable[NamedTarget]
) -> tuple[list[str], list[int]]:
    """Return each passage's names, one per line, and its number of links.

    Index entries are names, but do not count as links.
    """
    places: dict[str, int] = {}
    for number, passage in enumerate(passages):
        places.setdefault(f"{passage.url}#{passage.anchor}", number)
        places.setdefault(f"{passage.url}#", number)  # a page's address leads to its first passage
    for number, passage in enumerate(passages):  # anchors take precedence over aliases
        for alias in passage.aliases:
            places.setdefault(f"{passage.url}#{alias}", number)
    names, links = [Counter[str]() for _ in passages], [0] * len(passages)
    named = [(target.url, target.name, 0) for target in inventory]
    linked = [(url, text, 1) for passage in passages for url, text in passage.targets]
    for url, text, counts in [*named, *linked]:
        page, anchor = urldefrag(url)
        leads_to = places.get(f"{page}#{anchor}")
        plain = " ".join(text[:MAX_TEXT].split())
        if leads_to is not None and plain:
            names[leads_to][plain.casefold()] += 1
            links[leads_to] += counts
    repeated = (
        [name for name, times in each.items() for _ in range(min(times, REPEATED))]
        for each in names
    )
    return ["\n".join(each) for each in repeated], links
