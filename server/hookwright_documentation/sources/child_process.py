"""Run a crawl in a child process, which ends with its parent or when it is stuck.

Twisted's reactor cannot be restarted, and a page that defeats a parser ends only the child. A
thread could not interrupt a regular expression or a parser that blocks all other threads.
"""

import ctypes
import errno
import faulthandler
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, TextIO

from hookwright_console.errors import ReportedError
from hookwright_console.extras import explain_missing
from hookwright_documentation.sources.registry import (
    CrawlOptions,
    CrawlReport,
    UnfinishedError,
    read_report,
)

LOG = "crawl.log"
PACKAGES = ("hookwright_documentation", "hookwright_console", "scrapy", "filelock", "griffe")
MODULE = "hookwright_documentation.sources.child_process"
# In isolated mode, packages are found only where this process has them, after the standard library.
START = (
    "import sys; from importlib import import_module; sys.path.extend(sys.argv[2:]); "
    "import_module(sys.argv[1]).main()"
)
PATIENCE = 10  # seconds for a process to end on request
LOCK = ".lock"
LOCK_PATIENCE = 5.0  # seconds for a process whose parent was killed
STUCK = 60.0  # seconds without any running Python thread
PAGE_LIMIT = 20.0  # seconds per page
TOOK_TOO_LONG = 1  # exit code of a process ended by faulthandler
PR_SET_PDEATHSIG = 1
SELDOM = 0.1  # seconds between progress messages
GRACE = 300.0  # seconds after the time limit to write the result
MAX_MEMORY = 3_000_000_000  # bytes, regardless of what a site sends


def run_crawl(
    module: str,
    options: CrawlOptions,
    folder: Path,
    progress: Callable[[int, int], None] | None,
    *,
    in_steps: bool = False,
) -> CrawlReport:
    """Run a source's crawl in a child process; result and errors as for `crawl`.

    The child runs `take_in_child` of `module`. With `in_steps` it announces each item it reads, and
    the time per item is limited; if the process ends during an item, it is restarted without that
    item.
    """
    task: dict[str, Any] = {
        "module": module,
        "in_steps": in_steps,
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
    """Return the report and "", or None and the last item read; raises ReportedError."""
    reading = ""
    for line in process.stdout or ():
        kind, *values = json.loads(line)
        if kind == "report":
            report = read_report(values[0])
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


class Parent:
    """The channel from a crawl process to its parent."""

    def __init__(self, output: TextIO, skipped: Sequence[str]) -> None:
        self._output = output
        self._skipped = skipped
        self._shown = 0.0

    def send(self, kind: str, *values: Any) -> None:
        print(json.dumps([kind, *values]), file=self._output, flush=True)

    def show(self, done: int, known: int) -> None:
        """Show the numbers of fetched and known pages, at most every `SELDOM` seconds."""
        if time.monotonic() - self._shown > SELDOM:
            self._shown = time.monotonic()
            self.send("progress", done, known)

    @contextmanager
    def reading(self, name: str) -> Iterator[None]:
        """Limit the time to read an item; raises TimeoutError if it ended a previous process."""
        if name in self._skipped:
            raise TimeoutError(
                errno.ETIMEDOUT, "takes too long, or crashes the process that reads it"
            )
        self.send("reading", name)
        with limiting_time(PAGE_LIMIT):
            yield
        self.send("reading", "")


def find_folders(packages: Sequence[str]) -> list[str]:
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
    process = subprocess.Popen(  # noqa: S603 - this interpreter, with our own words
        [sys.executable, "-I", "-c", START, module, *folders],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        env={name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")},
        start_new_session=True,  # Ctrl-C reaches the child only through its standard input
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
    if process.stdin:
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()


def end_with_parent(parent: int) -> None:
    """Make Linux kill this process when its parent ends, whatever it is doing."""
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def end_when_stuck(time_limit: float, stuck: float = STUCK) -> None:
    end = time.monotonic() + time_limit

    def watch() -> None:
        while time.monotonic() < end:
            # The timer is a non-Python thread.
            faulthandler.dump_traceback_later(stuck, exit=True)
            time.sleep(min(stuck, time_limit) / 4)
        faulthandler.dump_traceback()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def limiting_time(seconds: float) -> Iterator[None]:
    faulthandler.dump_traceback_later(seconds, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def limit_memory(most: int) -> None:
    """Make this process raise MemoryError beyond a limit; has no effect on Windows."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    with suppress(ValueError, OSError):  # macOS may refuse
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


@contextmanager
def locking(folder: Path, patience: float = LOCK_PATIENCE) -> Iterator[None]:
    from filelock import FileLock, Timeout

    try:
        with FileLock(folder / LOCK, timeout=patience):
            yield
    except Timeout:
        raise ReportedError(
            "another crawl is using the same folder: wait until it ends, and try again"
        ) from None


def main() -> None:
    task = json.loads(sys.stdin.buffer.readline())
    options, folder = CrawlOptions(**task["options"]), Path(task["folder"])
    end_with_parent(task["parent"])
    limit_memory(MAX_MEMORY)
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # other printed text is not a message
    threading.Thread(target=end_with_input, daemon=True).start()
    parent = Parent(output, task["skipped"])
    try:
        with locking(folder):
            if not task["in_steps"]:
                end_when_stuck(options.time_limit + GRACE)
            report = import_module(task["module"]).take_in_child(options, folder, parent)
    except UnfinishedError as error:
        parent.send("unfinished", str(error))
    except ReportedError as error:
        parent.send("error", str(error))
    except OSError as error:
        parent.send("error", f"{error.filename or folder}: {error.strerror}")
    else:
        parent.send("report", asdict(report))
    os._exit(0)  # at once: a thread is still reading standard input


def end_with_input() -> None:
    """Exit at the end of standard input; files are consistent at any time."""
    sys.stdin.buffer.read()
    os._exit(1)
