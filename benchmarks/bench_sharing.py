"""Measure the CPU seconds for exporting and importing a documentation, without building it."""

import argparse
import io
import lzma
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from rich.table import Table

from hookwright_documentation.build import build
from hookwright_documentation.cutting import write_page
from hookwright_documentation.databases import Database
from hookwright_documentation.recipes.recipe import Recipe
from hookwright_documentation.sharing.archive import Archive, read_archive, write_archive
from hookwright_documentation.sharing.building import compare
from hookwright_documentation.sharing.export import Export, choose_export

from .reporting import report

ROUNDS = 3
# Maximum values for Django's 690 pages.
LIMITS = {"export s": 3.0, "import s": 10.0, "of xz of the markdown": 1.2}
Result = TypeVar("Result")


def main() -> int:
    """Print the figures; return 1 if one exceeds its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", type=Path, help="of a documentation, such as that of Debian's python-django-doc"
    )
    parser.add_argument("--prefix", default="https://docs.example.org/", help="of its pages")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = str(arguments.folder.resolve())
        recipe = Recipe("bench", ("bench",), source, arguments.prefix, license="BSD-3-Clause")
        database = build(recipe, None, lambda _: None, Path(folder) / "docs").database
        return measure(database, Path(folder))


def measure(database: Database, folder: Path) -> int:
    """Print a database's figures; return 1 if one exceeds its limit."""
    (export, content), exporting = clock(lambda: export_once(database))
    _, importing = clock(lambda: import_once(database, content, folder))
    markdown = "".join(page.text for page in export.pages).encode()
    figures = {
        "export s": exporting,
        "import s": importing,
        "of xz of the markdown": len(content) / len(lzma.compress(markdown)),
    }
    table = Table("figure", "value", "at most", title=f"{database.manifest.pages:,} pages")
    for name, value in figures.items():
        table.add_row(name, f"{value:,.2f}", f"{LIMITS[name]}")
    report("sharing", table, about=__doc__)
    return int(any(value > LIMITS[name] for name, value in figures.items()))


def clock(run: Callable[[], Result]) -> tuple[Result, float]:
    """Return a function's result, and the minimum CPU seconds of several runs."""
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        result = run()
        taken.append(time.process_time() - began)
    return result, min(taken)


def export_once(database: Database) -> tuple[Export, bytes]:
    export = choose_export(database)
    return export, write_archive(export.manifest, export.license_text, export.pages)


def import_once(database: Database, content: bytes, folder: Path) -> Archive:
    archive = read_archive(io.BytesIO(content), "bench")
    compare(database, archive.pages)
    pages = folder / "pages"
    pages.mkdir(exist_ok=True)
    for page in archive.pages:
        write_page(page, pages)
    return archive


if __name__ == "__main__":
    sys.exit(main())
