"""Run programs installed by the user."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType

CHANGING = threading.RLock()


@contextmanager
def in_trusted_folder() -> Iterator[None]:
    """Change the whole process's working folder to Python's own, and back.

    A child process of `multiprocessing` imports its first modules from the working folder, and some
    libraries read settings there.
    """
    before = None
    with CHANGING:
        with suppress(OSError):  # the folder was removed
            before = Path.cwd()
        os.chdir(Path(sys.executable).parent)
        try:
            yield
        finally:
            if before:
                os.chdir(before)


def run_program(
    words: Sequence[str],
    seconds: float | None = None,
    folder: Path | None = None,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> "subprocess.CompletedProcess[str] | None":
    """Run a program; return the finished process, or None if it times out or cannot be run.

    The program runs in `folder`, by default the home folder, because a file in the current folder
    may redirect a shim.
    """
    try:
        return subprocess.run(  # noqa: S603 - the user's own
            words,
            cwd=folder or Path.home(),
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
