"""Run a crawl in a process of its own.

Twisted's reactor cannot start twice in one, and what is hostile to a parser ends no more than it.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
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
MODULE = "hookwright_documentation.crawl.__main__"
# Isolated, it finds the packages only where this process has them, after the standard library.
START = (
    "import sys; from importlib import import_module; sys.path.extend(sys.argv[2:]); "
    "import_module(sys.argv[1]).main()"
)
PATIENCE = 10  # seconds for a process that was told to end


def run_crawl(
    options: CrawlOptions, folder: Path, progress: Callable[[int, int], None] | None
) -> CrawlReport:
    """Take a source in a process of its own; arguments, result and errors as of `crawl`.

    Where the process ends at something that it named before, it starts again without that.
    """
    task: dict[str, Any] = {
        "options": asdict(options),
        "folder": str(folder.resolve()),
        "parent": os.getpid(),
        "skipped": [],
    }
    end = time.monotonic() + options.time_limit
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while time.monotonic() < end:
            with (
                (folder / LOG).open("wb") as log,
                start(MODULE, find_folders(PACKAGES), log) as process,
            ):
                send(process, task)
                report, reading = follow(process, progress)
            if report:
                return report
            if not reading:
                break
            task["skipped"].append(reading)
    except OSError as error:
        raise ReportedError(
            f"{error.filename or folder}: {error.strerror}: choose another folder"
        ) from None
    raise UnfinishedError(f"the crawl ended early: run it again to go on (see {folder / LOG})")


def follow(
    process: "subprocess.Popen[bytes]", progress: Callable[[int, int], None] | None
) -> tuple[CrawlReport | None, str]:
    """Return the report of a crawl, or None and the name of what it read when it ended, if any.

    Raises:
        ReportedError: The source gives nothing.

    """
    reading = ""
    for kind, *values in receive(process):
        if kind == "report":
            lines = {name: tuple(values[0][name]) for name in ("notes", "choices")}
            report = CrawlReport(**{**values[0], **lines})
            if progress:
                progress(report.pages, report.pages)
            return report, ""
        if kind == "unfinished":
            raise UnfinishedError(values[0])
        if kind == "error":
            raise ReportedError(values[0])
        if kind == "reading":
            reading = values[0]
        elif progress:
            progress(*values)
    return None, reading


def find_folders(packages: Sequence[str]) -> list[str]:
    """Return where packages are installed; raises ReportedError."""
    folders: dict[str, None] = {}
    for name in packages:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            raise ReportedError(explain_missing(name, "docs"))
        folders[str(Path(spec.origin).resolve().parent.parent)] = None
    return list(folders)


@contextmanager
def start(
    module: str, folders: list[str], log: IO[bytes] | int
) -> Iterator["subprocess.Popen[bytes]"]:
    """Yield a process, and end it."""
    process = subprocess.Popen(  # noqa: S603 - this interpreter, with our own words
        [sys.executable, "-I", "-c", START, module, *folders],
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


def send(process: "subprocess.Popen[bytes]", message: Any) -> None:
    """Give the process a message, and keep its standard input open."""
    if process.stdin:
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()


def receive(process: "subprocess.Popen[bytes]") -> Iterator[list[Any]]:
    for line in process.stdout or ():
        yield json.loads(line)
