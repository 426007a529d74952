"""Run a crawl in a process of its own.

Twisted's reactor cannot start twice in one, and what is hostile to a parser ends no more than it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from hookwright_console.errors import ReportedError
from hookwright_console.extras import explain_missing
from hookwright_documentation.crawl.errors import UnfinishedError
from hookwright_documentation.crawl.options import CrawlOptions, CrawlReport

LOG = "crawl.log"
PACKAGES = ("hookwright_documentation", "hookwright_console", "scrapy", "filelock", "griffe")
# Isolated, it finds the packages only where this process has them, after the standard library.
START = (
    "import sys; sys.path.extend(sys.argv[1:]); "
    "from hookwright_documentation.crawl.__main__ import main; main()"
)
PATIENCE = 10  # seconds for a process that was told to end


def run_crawl(
    options: CrawlOptions, folder: Path, progress: Callable[[int, int], None] | None
) -> CrawlReport:
    """Take a source in a process of its own; arguments, result and errors as of `crawl`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / LOG).open("wb") as log, start(find_folders(), log) as process:
            task = {
                "options": asdict(options),
                "folder": str(folder.resolve()),
                "parent": os.getpid(),
            }
            send(process, task)
            for kind, *values in receive(process):
                if kind == "report":
                    lines = {name: tuple(values[0][name]) for name in ("notes", "choices")}
                    report = CrawlReport(**{**values[0], **lines})
                    if progress:
                        progress(report.pages, report.pages)
                    return report
                if kind == "unfinished":
                    raise UnfinishedError(values[0])
                if kind == "error":
                    raise ReportedError(values[0])
                if progress:
                    progress(*values)
    except OSError as error:
        raise ReportedError(
            f"{error.filename or folder}: {error.strerror}: choose another folder"
        ) from None
    raise UnfinishedError(f"the crawl ended early: run it again to go on (see {folder / LOG})")


def find_folders() -> list[str]:
    """Return where the packages of the crawl are installed.

    Raises:
        ReportedError: Scrapy is not installed.

    """
    folders: dict[str, None] = {}
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise ReportedError(explain_missing(name, "docs"))
        folders[str(Path(spec.origin).resolve().parent.parent)] = None
    return list(folders)


@contextmanager
def start(folders: list[str], log: IO[bytes]) -> Iterator["subprocess.Popen[bytes]"]:
    """Yield the process of a crawl, and end it.

    Args:
        folders: Where it finds its packages.
        log: Gets what it complains of.

    """
    process = subprocess.Popen(  # noqa: S603 - this interpreter, with our own words
        [sys.executable, "-I", "-c", START, *folders],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        env={name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")},
        start_new_session=True,  # Ctrl-C reaches it through its standard input alone
    )
    try:
        yield process
    finally:
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def send(process: "subprocess.Popen[bytes]", task: dict[str, Any]) -> None:
    """Give the process its task, and keep its standard input open."""
    if process.stdin:
        process.stdin.write(json.dumps(task).encode() + b"\n")
        process.stdin.flush()


def receive(process: "subprocess.Popen[bytes]") -> Iterator[list[Any]]:
    """Yield the messages of the process until it ends."""
    for line in process.stdout or ():
        yield json.loads(line)
