"""Documentation databases of real pages, with a fake search engine."""

import json
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from hookwright_console.errors import ReportedError
from hookwright_documentation.cutting import write_page
from hookwright_documentation.databases import INDEX_FILE, Manifest, swap, write_manifest
from hookwright_documentation.index import PassageHit
from hookwright_documentation.pages import Page

INDEX = "hookwright_documentation.index"
SITE = "http://127.0.0.1/flask/"
ROUTING = f"{SITE}routing"
PAGES = {
    ROUTING: "# Routing {#routing}\n\nBind a function to a URL.\n\n"
    "## Converters {#converters}\n\nA converter is a part of a rule.\n\n```python\n@app.route\n```",
    f"{SITE}testing": "# Testing {#testing}\n\nA test client sends requests.",
}


class FakeIndex:
    """Finds pages that contain a word of the query; for "wait", it answers after half a minute."""

    held = threading.Event()

    def __init__(self, path: Path) -> None:
        try:
            self._pages = json.loads(path.read_text())
        except ValueError:
            raise ReportedError("the index is damaged: run hookwright refresh flask") from None

    def search(self, query: str, top_k: int = 5) -> list[PassageHit]:
        print("The fake prints to stdout, as a library might.")
        if query == "wait":
            self.held.wait(30)
        words = query.lower().split()
        hits = [
            PassageHit(url, "", (url.rpartition("/")[2].title(),), text, 1.0)
            for url, text in self._pages.items()
            if any(word in text.lower() for word in words)
        ]
        return hits[:top_k]


def write_database(
    root: Path,
    name: str = "flask",
    *,
    generation: str = "1",
    pages: Mapping[str, str] = PAGES,
    engine: str = "builtin",
    title: str = "Flask",
    prefix: str = SITE,
) -> Path:
    """Write a database of Markdown pages, and return the folder of its generation.

    Args:
        root: The folder of all databases.
        name: The name of the database.
        generation: The name of the generation.
        pages: The texts, keyed by URL.
        engine: The search engine.
        title: The title of the documentation.
        prefix: The common prefix of all URLs.

    """
    folder = root / name / generation
    (folder / "pages").mkdir(parents=True)
    (folder / INDEX_FILE).write_text(json.dumps(dict(pages)))
    for url, text in pages.items():
        page = Page(url, url.rpartition("/")[2], "2.2", "BSD-3-Clause", "2026-11-23", text)
        write_page(page, folder / "pages")
    count = len(pages)
    manifest = Manifest(
        name, title, SITE, prefix, engine, "2.2", "BSD", "2026-11-23", count, count, {}
    )
    write_manifest(manifest, folder)
    swap(name, folder, root)
    return folder


def build_fake() -> ModuleType:
    fake = ModuleType(INDEX)
    vars(fake).update(DocumentationIndex=FakeIndex)
    return fake


if __name__ == "__main__":
    sys.modules[INDEX] = build_fake()
    from hookwright_documentation.serving.stdio import serve_stdio

    serve_stdio()
