"""The index file: a write-once SQLite database.

The file is built without a journal and renamed when complete, and every new index is a separate
file. It can therefore be read without locks, and open readers continue to use the old file. The
first 100 bytes identify an index and its format.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_console.files.regular import open_regular
from hookwright_console.text import shorten

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
PRAGMA temp_store = MEMORY;
VACUUM;
"""
READ_ONLY = """
PRAGMA trusted_schema = OFF;
PRAGMA query_only = ON;
PRAGMA cell_size_check = ON;
"""
# Ordering by FTS5's own `rank` takes 50 % longer.
BM25 = "bm25(words, 3.0, 1.0, 1.0, 1.0)"
PASSAGE = "url, anchor, headings, text FROM passages JOIN pages ON pages.id = page"
# Errors that a damaged file causes.
DAMAGE = (sqlite3.Error, ValueError, TypeError, LookupError, OverflowError, RecursionError)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a generation's index for reading.

    Raises ReportedError if the file cannot be read, if it was written by another Hookwright
    version, or if what is read from it within the context is damaged.
    """
    name = shorten(path.absolute().parents[1].name)
    way_out = f"run hookwright refresh {name}"
    try:
        with open_regular(path) as file:
            head = file.read(HEAD)
        if head[: len(MAGIC)] + head[APPLICATION_PLACE] != MAGIC + encode(APPLICATION_ID):
            raise ValueError("not an index")
        if head[FORMAT_PLACE] != encode(FORMAT):
            raise ReportedError(
                f"{name}: the index was built by another version of Hookwright: {way_out}"
            )
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            connection.executescript(READ_ONLY)
            yield connection
    except OSError as error:
        reason = f"the index cannot be read ({error.strerror})"
        raise ReportedError(f"{name}: {reason}: {way_out}") from None
    except DAMAGE as error:
        if "no such module: fts5" in str(error):
            reason, way_out = "this Python's SQLite has no FTS5", "install Hookwright with another"
            raise ReportedError(f"{name}: {reason}: {way_out} Python") from None
        raise ReportedError(f"{name}: the index is damaged: {way_out}") from None


def encode(number: int) -> bytes:
    return number.to_bytes(4, "big")


def parse_passage(
    url: str, anchor: str, headings: str, text: str
) -> tuple[str, str, tuple[str, ...], str]:
    """Return a row as a passage; raises ValueError or TypeError if the row is damaged."""
    parsed = json.loads(headings)
    if not all(isinstance(value, str) for value in (url, anchor, text, *parsed)):
        raise TypeError
    return url, anchor, tuple(parsed), text
