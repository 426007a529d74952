"""End the process of a crawl with its parent, and when it is stuck; let one at a time run.

A thread cannot do that alone: a regular expression or a parser can keep all others from running.
"""

import ctypes
import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hookwright_console.errors import ReportedError

LOCK = ".lock"
PATIENCE = 5.0  # seconds for a process whose parent was killed
STUCK = 60.0  # seconds in which no thread of Python ran
PAGE_LIMIT = 20.0  # seconds for a page
TOOK_TOO_LONG = 1  # the exit code of a process that faulthandler ends
PR_SET_PDEATHSIG = 1


def end_with_parent(parent: int) -> None:
    """Have Linux kill this process when its parent ends, whatever it is busy with."""
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def end_when_stuck(time_limit: float, stuck: float = STUCK) -> None:
    """End this process, with a traceback on standard error, when it hangs."""
    end = time.monotonic() + time_limit

    def watch() -> None:
        while time.monotonic() < end:
            # Its timer is a thread outside of Python.
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
    """Have this process raise MemoryError where it would take more memory; not on Windows."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    with suppress(ValueError, OSError):  # macOS may refuse
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


@contextmanager
def locking(folder: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Keep other crawls out of a folder; raises ReportedError."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(folder / LOCK, timeout=patience):
            yield
    except Timeout:
        raise ReportedError(
            "another crawl still writes to the same folder: wait until it ends, and try again"
        ) from None
