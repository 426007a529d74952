"""Run a rendered project's installer, and run other code at a given step."""

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from typing import IO, Any

from .installer import Installer, run_here

# Audit events for operations that change the disk or are visible to other processes.
STEPS = {"open", "os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename"}
STEPS |= {"os.rmdir", "os.setxattr", "fcntl.flock"}
KILL = f"os.kill(os.getpid(), {signal.SIGKILL:d})"


def run_to(
    install: Installer, number: int, happens: str, *arguments: str
) -> "subprocess.CompletedProcess[str]":
    """Run the installer in a fork, and execute code right before one of its steps.

    Args:
        install: The installer under test.
        number: The step, from 1; 0 for every step.
        happens: Python code to execute, with the names `event`, `arguments`, `steps` (the number of
            the step), `state` (a dictionary that is kept) and `os`.
        arguments: The arguments of install.py.

    """
    with tempfile.TemporaryFile("w+") as file:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # no other thread holds a lock
            child = os.fork()
        if not child:
            run_watched(install, number, happens, arguments, file)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        file.seek(0)
        output, errors = json.loads(file.read() or '["", ""]')
    return subprocess.CompletedProcess(arguments, code, output, errors)


def run_watched(
    install: Installer, number: int, happens: str, arguments: tuple[str, ...], file: IO[str]
) -> None:
    steps, state = 0, dict[str, Any]()

    def watch(event: str, given: tuple[Any, ...]) -> None:
        nonlocal steps
        if event in STEPS and (event != "open" or (given[2] or 0) & (os.O_WRONLY | os.O_RDWR)):
            steps += 1
            if number in (0, steps):
                names = {"event": event, "arguments": given, "steps": steps, "state": state}
                exec(happens, {**names, "os": os})  # noqa: S102 - a test's own code

    code = 1
    try:
        sys.addaudithook(watch)
        done = run_here(install, *arguments)
        json.dump([done.stdout, done.stderr], file)
        file.flush()
        code = done.returncode
    except BaseException:  # noqa: BLE001 - this process must not continue with other tests
        traceback.print_exc()
    finally:
        os._exit(code)


def survey(folder: Path) -> dict[str, tuple[object, ...]]:
    files: dict[str, tuple[object, ...]] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        if path.is_symlink():
            content: object = path.readlink()
        else:
            content = path.read_bytes() if stat.S_ISREG(status.st_mode) else None
        owner = (oct(status.st_mode), status.st_uid, status.st_gid)
        files[str(path.relative_to(folder))] = (*owner, content)
    return files
