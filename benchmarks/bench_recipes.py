"""Test recipes on copies of their documentation: set up each, and ask five questions.

The script downloads and unpacks each Debian package, and a loopback server serves this copy under
the path of the recipe's address. If the first five results contain the right page for at least four
of five questions, the copy and its cost are recorded in the recipe. Recipe names as arguments
restrict the run to those recipes.
"""

import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from rich.console import Console
from rich.table import Table

from hookwright_console.errors import ReportedError
from hookwright_documentation.build import build
from hookwright_documentation.databases import Database
from hookwright_documentation.index import DocumentationIndex
from hookwright_documentation.recipes.recipe import FOLDER, ReadyRecipe, Recipe, find_ready_recipe

from .recipe_copies import COPIES, MOST_USED, Copy

NEEDED = 4  # minimum number of right answers to the five questions
COLUMNS = ("version", "pages", "passages", "answers", "seconds", "MB")
TESTED = re.compile(r"^tested_copy:.*\n", re.MULTILINE)


def main(names: list[str]) -> int:
    """Print a row per recipe, and record successful copies in the recipes."""
    table = Table(title="Recipes, tried on copies")
    for column in ("recipe", *COLUMNS):
        table.add_column(column, justify="left" if column == "recipe" else "right")
    failed = 0
    for name in names or COPIES:
        cells, fault = try_copy(name, COPIES[name])
        table.add_row(name, *(cells or [fault]))
        failed += bool(fault)
        print(name, *cells, fault, flush=True)
    Console().print(table)
    others = [name for name in MOST_USED if name not in COPIES]
    print(f"of the {len(MOST_USED)} most used there is no copy of: {', '.join(others)}")
    return int(failed > 0)


def try_copy(name: str, copy: Copy) -> tuple[list[str], str]:
    """Return a row's cells, and the error or ""; record a successful copy in its recipe."""
    recipe = find_ready_recipe(name)
    if recipe is None:
        return [], "no such recipe"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        version = unpack(copy.package, place)
        copied = place / "usr/share/doc" / copy.folder
        begun = time.process_time() + sum_children()
        try:
            with serving(copied, find_mount(recipe), copy.index) as host:
                built = build(move(recipe, host), None, lambda _: None, place / "docs")
        except ReportedError as error:
            return [], str(error)
        seconds = time.process_time() + sum_children() - begun
        database = built.database
        missed = list_missed(database, copy)
        size = sum(path.stat().st_size for path in database.folder.rglob("*") if path.is_file())
    manifest = database.manifest
    figures = {
        "version": re.sub(r"^\d+:|[+~-].*", "", version),
        "pages": manifest.pages,
        "seconds": round(seconds),
        "megabytes": round(size / 1_000_000),
    }
    found = len(copy.questions) - len(missed)
    if found >= NEEDED:
        note(recipe, figures)
    cells = [str(figures["version"]), f"{manifest.pages:,}", f"{manifest.passages:,}"]
    cells += [f"{found} of {len(copy.questions)}", f"{seconds:.0f}", str(figures["megabytes"])]
    return cells, "" if found >= NEEDED else f"not found: {', '.join(missed)}"


def sum_children() -> float:
    """Return the CPU seconds of all finished child processes, such as the crawl."""
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def unpack(package: str, place: Path) -> str:
    """Unpack a Debian package and return its version."""
    fetch = ["apt-get", "download", "-q", package]
    subprocess.run(fetch, cwd=place, check=True, capture_output=True)
    (archive,) = place.glob("*.deb")
    subprocess.run(["dpkg", "-x", archive, place], check=True)
    command = ["dpkg-deb", "-f", str(archive), "Version"]
    completed = subprocess.run(command, check=True, capture_output=True, text=True)
    return str(completed.stdout).strip()


def find_mount(recipe: ReadyRecipe) -> str:
    """Return the path of the documentation's root on its site."""
    path = urlsplit(recipe.prefix or recipe.source).path
    return path if path.endswith("/") else f"{path}/"


def move(recipe: ReadyRecipe, host: str) -> Recipe:
    """Return the recipe with the address of a local server instead of the site's."""
    site = "{0.scheme}://{0.netloc}".format(urlsplit(recipe.source))
    built = recipe.build_recipe()
    return replace(
        built,
        source=built.source.replace(site, host, 1),
        prefix=built.prefix.replace(site, host, 1),
    )


@contextmanager
def serving(folder: Path, mount: str, index: str) -> Iterator[str]:
    """Serve a folder under a path, and yield the server's address."""

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            if f"{path}/" == mount:
                self.send_response(301)
                self.send_header("Location", mount)
                self.end_headers()
            else:
                super().do_GET()

        def translate_path(self, path: str) -> str:
            path = unquote(urlsplit(path).path)
            if not path.startswith(mount):
                return str(folder / "not there")
            place = folder / path.removeprefix(mount)
            if path == mount:
                return str(folder / index)
            if place.is_dir():
                return str(place / "index.html") if path.endswith("/") else str(place)
            return str(place if place.exists() else place.with_name(f"{place.name}.html"))

        def list_directory(self, _: Any) -> None:
            self.send_error(404)

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def list_missed(database: Database, copy: Copy) -> list[str]:
    """Return the questions for which the right page is not among the first five results."""
    index = DocumentationIndex(database.index)
    return [
        f"{query} ({', '.join(hit.url.rpartition('/')[2] for hit in index.search(query))})"
        for query, part in copy.questions
        if not any(part in hit.url for hit in index.search(query))
    ]


def note(recipe: ReadyRecipe, figures: dict[str, Any]) -> None:
    """Record the cost of a setup in its recipe."""
    path = FOLDER / f"{recipe.name}.yml"
    values = {**figures, "version": f"'{figures['version']}'"}
    line = ", ".join(f"{name}: {value}" for name, value in values.items())
    path.write_text(f"{TESTED.sub('', path.read_text('utf-8'))}tested_copy: {{{line}}}\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
