"""The index file: a write-once SQLite database.

The file is built without a journal and renamed when complete, and every new index is a separate
file. It can therefore be read without locks, and open readers continue to use the old file. The
first 100 bytes identify an index and its format. Uses only the standard library.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hookwright_console.files.regular import open_regular

APPLICATION_ID = 0x4857_4458  # HWDX
FORMAT = 1  # increase this when the tables or the word splitting change
MAGIC = b"SQLite format 3\0"
HEAD = 100  # bytes of SQLite's header, https://www.sqlite.org/fileformat.html
FORMAT_PLACE, APPLICATION_PLACE = slice(60, 64), slice(68, 72)
TOKENIZER = "unicode61 remove_diacritics 2"
# Columns that are read for many passages precede the text, so that SQLite need not read past it.
SCHEMA = f"""
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE pages(
    id INTEGER PRIMARY KEY, url TEXT, title TEXT, version TEXT, tells_changes INTEGER
);
CREATE TABLE passages(
    id INTEGER PRIMARY KEY, page INTEGER, popularity REAL, vector BLOB, tokens BLOB,
    anchor TEXT, headings TEXT, text TEXT
);
CREATE VIRTUAL TABLE words USING fts5(
    heading, above, text, links, content='', tokenize='porter {TOKENIZER}'
);
CREATE TABLE vocabulary(id INTEGER PRIMARY KEY, word TEXT);
CREATE VIRTUAL TABLE spellings USING fts5(trigrams, content='', tokenize='{TOKENIZER}');
"""
FINISH = """
INSERT INTO words(words) VALUES ('optimize');
INSERT INTO spellings(spellings) VALUES ('optimize');
"""
READ_ONLY = """
PRAGMA trusted_schema = OFF;
PRAGMA query_only = ON;
PRAGMA cell_size_check = ON;
"""
# Select from `words` with the best score first. Ordering by FTS5's own `rank` takes 50 % longer.
BM25 = "bm25(words, 3.0, 1.0, 1.0, 1.0)"
PASSAGE = "url, anchor, headings, text FROM passages JOIN pages ON pages.id = page"
NO_FTS5 = "no such module: fts5"


class DamagedIndexError(Exception):
    """The file is not an index, or is damaged."""


class OtherFormatError(Exception):
    """The file was written by another Hookwright version."""


def check_head(path: Path) -> None:
    """Check the first bytes of an index.

    Raises:
        OSError: The file cannot be read.
        DamagedIndexError: The file is not an index.
        OtherFormatError: Another Hookwright version wrote the file.

    """
    with open_regular(path) as file:
        head = file.read(HEAD)
    application = head[APPLICATION_PLACE]
    if not head.startswith(MAGIC) or application != APPLICATION_ID.to_bytes(4, "big"):
        raise DamagedIndexError
    if head[FORMAT_PLACE] != FORMAT.to_bytes(4, "big"):
        raise OtherFormatError


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open an index for reading.

    Raises:
        OSError, OtherFormatError: See `check_head`.
        DamagedIndexError: A part of the file is unreadable or has an unexpected type.

    """
    check_head(path)
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            connection.executescript(READ_ONLY)
            yield connection
    except sqlite3.OperationalError as error:
        if NO_FTS5 in str(error):
            raise
        raise DamagedIndexError from None
    except (sqlite3.Error, ValueError, TypeError, LookupError, OverflowError, RecursionError):
        raise DamagedIndexError from None


def check_whole(path: Path) -> None:
    """Check the whole file, which is slow; raises the same errors as `reading`."""
    with reading(path) as connection:
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise DamagedIndexError
        for row in connection.execute(f"SELECT {PASSAGE}"):
            parse_passage(*row)


def parse_passage(
    url: str, anchor: str, headings: str, text: str
) -> tuple[str, str, tuple[str, ...], str]:
    """Return a row as a passage; raises ValueError or TypeError if the row is damaged."""
    parsed = json.loads(headings)
    if not all(isinstance(value, str) for value in (url, anchor, text, *parsed)):
        raise TypeError
    return url, anchor, tuple(parsed), text
