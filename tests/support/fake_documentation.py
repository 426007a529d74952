"""A fake of documentation databases: of their pages, and of what searches them."""

import json
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import ClassVar
from urllib.parse import quote

from hookwright_console.errors import ReportedError
from hookwright_documentation.databases import Manifest, swap, write_manifest
from hookwright_documentation.pages import Page

SITE = "http://127.0.0.1/flask/"
ROUTING = f"{SITE}routing"
PAGES = {
    ROUTING: "# Routing {#routing}\n\nBind a function to a URL.\n\n"
    "## Converters {#converters}\n\nA converter is a part of a rule.\n\n```python\n@app.route\n```",
    f"{SITE}testing": "# Testing {#testing}\n\nA test client sends requests.",
}


@dataclass(frozen=True)
class FakeHit:
    """A passage that the fake found."""

    url: str
    anchor: str
    headings: tuple[str, ...]
    text: str
    score: float


class FakeIndex:
    """Finds the pages that have a word of a query; "wait" is only answered after half a minute."""

    opened: ClassVar[list[Path]] = []
    held = threading.Event()

    def __init__(self, folder: Path) -> None:
        """Open the index of a generation."""
        self.opened.append(folder)
        try:
            self._pages = json.loads((folder / "pages.json").read_text())
        except FileNotFoundError:
            raise ReportedError("the index is damaged: run hookwright refresh flask") from None

    def search(self, query: str, top_k: int = 5) -> list[FakeHit]:
        """Return the pages that have a word of the query."""
        print("The fake prints to stdout, as a library might.")
        if query == "wait":
            self.held.wait(30)
        words = query.lower().split()
        found = [
            FakeHit(url, "", (url.rpartition("/")[2].title(),), text, 1.0)
            for url, text in self._pages.items()
            if any(word in text.lower() for word in words)
        ]
        return found[:top_k]


def read_fake_page(path: Path) -> Page:
    """Return a page that `write_database` wrote."""
    return Page(**json.loads(path.read_text()))


def list_fake_pages(folder: Path) -> list[Path]:
    """Return the files of the pages."""
    return sorted(folder.glob("*.json"))


def name_fake_page(url: str) -> str:
    """Return the name of a page's file."""
    return quote(url, safe="")[-200:] + ".json"


def build_fakes() -> dict[str, ModuleType]:
    """Return the fakes by the names of the modules that they stand in for."""
    index, cutting, files = ModuleType("index"), ModuleType("cutting"), ModuleType("page_files")
    vars(index).update(open_index=FakeIndex)
    vars(files).update(
        read_page=read_fake_page, list_pages=list_fake_pages, name_page=name_fake_page
    )
    package = "hookwright_documentation"
    cut = f"{package}.cutting"
    return {f"{package}.index": index, cut: cutting, f"{cut}.page_files": files}


def write_database(
    root: Path,
    name: str = "flask",
    *,
    generation: str = "1",
    pages: Mapping[str, str] = PAGES,
    engine: str = "builtin",
    title: str = "Flask",
) -> Path:
    """Write a database of pages in markdown, and return its generation's folder.

    Args:
        root: The folder of all databases.
        name: The name of the database.
        generation: The name of the generation.
        pages: The texts by their URLs.
        engine: What searches it.
        title: What it documents.

    """
    folder = root / name / generation
    (folder / "index").mkdir(parents=True)
    (folder / "pages").mkdir()
    (folder / "index" / "pages.json").write_text(json.dumps(dict(pages)))
    for url, text in pages.items():
        page = Page(url, url.rpartition("/")[2], "2.2", "BSD-3-Clause", "2026-11-23", text)
        (folder / "pages" / name_fake_page(url)).write_text(json.dumps(vars(page)))
    count = len(pages)
    manifest = Manifest(
        name, title, SITE, SITE, engine, "2.2", "BSD", "2026-11-23", count, count, {}
    )
    write_manifest(manifest, folder)
    swap(name, folder, root)
    return folder


if __name__ == "__main__":
    sys.modules.update(build_fakes())
    from hookwright_documentation.serving.stdio import serve_stdio

    serve_stdio()
