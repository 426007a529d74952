"""Write a small index like those of `hookwright setup`, for demonstrations.

The index has only the tables that a hook reads; hookwright[docs] builds complete indexes.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

NAME = "acme"
PAGE = "https://docs.acme.example/guide/session.html"
RECORD = {
    "keywords": [NAME],
    "path": f"~/.local/share/hookwright/docs/{NAME}",
    "mcp_tool_name": "mcp__hookwright-docs__search_docs",
    "arguments": {"database": NAME},
    "description": "the Acme documentation",
    "domains": ["docs.acme.example"],
}
PASSAGES = (
    ("sign", "Sign a cookie", 'Cookies are signed with the key that you set: `app.key = "..."`.'),
    ("age", "How long a session lasts", "A session ends with the browser, or after `max_age`."),
)
TABLES = """
PRAGMA application_id = 0x48574458;
PRAGMA user_version = 1;
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE pages(
    id INTEGER PRIMARY KEY, url TEXT, title TEXT, version TEXT, tells_changes INTEGER
);
CREATE TABLE passages(
    id INTEGER PRIMARY KEY, page INTEGER, popularity REAL, anchor TEXT, headings TEXT, text TEXT
);
CREATE VIRTUAL TABLE words USING fts5(heading, above, text, links, tokenize='porter unicode61');
CREATE TABLE vocabulary(id INTEGER PRIMARY KEY, word TEXT);
CREATE VIRTUAL TABLE spellings USING fts5(trigrams);
INSERT INTO meta VALUES ('version', '2.1'), ('heading', 'Acme 2.1 documentation');
"""


def write_index(root: Path) -> None:
    """Write the index into a folder of databases."""
    folder = root / NAME / "1"
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(folder / "index.sqlite")) as index, index:
        index.executescript(TABLES)
        index.execute("INSERT INTO pages VALUES (1, ?, 'Sessions', '2.1', 0)", (PAGE,))
        for number, (anchor, heading, text) in enumerate(PASSAGES, 1):
            headings = json.dumps(["Sessions", heading])
            index.execute(
                "INSERT INTO passages VALUES (?, 1, 0, ?, ?, ?)", (number, anchor, headings, text)
            )
            index.execute(
                "INSERT INTO words(rowid, heading, above, text, links) VALUES (?, ?, ?, ?, '')",
                (number, heading, "Sessions", text),
            )
    (root / NAME / "current").write_text("1\n")
    for path in (folder / "index.sqlite", root / NAME / "current"):
        path.chmod(0o600)
