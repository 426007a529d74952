"""Check that the installed hooks' Python exists, is recent enough, and starts fast."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hookwright.doctor.finding import Finding, Setup
from hookwright.project.configured_handlers import ConfiguredHandler
from hookwright.project.installation_check import find_slowness
from hookwright_console.programs import run_program

if TYPE_CHECKING:
    import subprocess

NAME = "interpreter"
OLDEST = (3, 9)
RUNS = 5
TIME_LIMIT = 10  # seconds per run
SLOW = 1.5  # a Python is slow if it takes this many times as long as a plain one, and
SLOWER = 10.0  # at least this many milliseconds longer
VERSION = "import sys; print('%d.%d.%d' % sys.version_info[:3])"


def check_interpreter(setup: Setup) -> Iterator[Finding]:
    named: dict[str, ConfiguredHandler] = {}
    for handler in setup.ours:
        if handler.command:
            named.setdefault(handler.interpreter or "python3", handler)
    for python, handler in named.items():
        yield check_python(python, handler)


def check_python(python: str, handler: ConfiguredHandler) -> Finding:
    path = shutil.which(python)
    if not path and python != "python3":
        report = Finding.warn if shutil.which("python3") else Finding.fault
        problem = f"{handler.path} names {python}, which does not exist"
        return report(NAME, problem, "run hookwright install")
    if not path:
        problem = f"{handler.path} runs python3, which is not on PATH"
        return Finding.fault(NAME, problem, "install Python 3.9 or later")
    if handler.scope in {"project", "local"} and not is_known(path):
        problem = f"did not run {path}, because anyone may have written {handler.path}"
        return Finding.warn(NAME, problem, f"run hookwright install --scope {handler.scope}")
    return judge_python(path)


def judge_python(path: str) -> Finding:
    version, took = read_version(path), time_start(path)
    if not version or took is None:
        return Finding.fault(NAME, f"{path} does not start", "run install.py with another Python")
    line = f"{path} ({'.'.join(map(str, version))}) starts in {took:.0f} ms"
    if version < OLDEST:
        problem = f"{line}, but hooks need Python 3.9 or later"
        return Finding.fault(NAME, problem, "run install.py with a newer one")
    plain_path = find_plain_python()
    plain = took if plain_path == path else time_start(plain_path) or took
    line += f", {plain_path} in {plain:.0f} ms" if plain_path != path else ""
    slowness = find_slowness(Path(path))
    if slowness or (took > SLOW * plain and took > plain + SLOWER):
        line += f"; it {slowness}" if slowness else ""
        return Finding.warn(NAME, line, f"run install.py with {os.path.realpath(plain_path)}")
    return Finding.ok(NAME, line)


def is_known(path: str) -> bool:
    """Return whether a Python is one that the user already runs."""
    known = [sys.executable, *filter(None, map(shutil.which, ("python3", "python")))]
    return os.path.realpath(path) in {os.path.realpath(path) for path in known}


def find_plain_python() -> str:
    """Return a Python that starts without overhead: python3 on PATH, or the one behind its shim."""
    path = shutil.which("python3") or sys.executable
    if find_slowness(Path(path)):
        # The Python that created this virtual environment.
        own = Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}")
        return str(own) if own.exists() else os.path.realpath(sys.executable)
    return path


def read_version(path: str) -> tuple[int, ...]:
    ended = run_python(path, VERSION)
    parts = ended.stdout.strip().split(".") if ended and not ended.returncode else []
    return tuple(int(part) for part in parts if part.isdigit())


def time_start(path: str) -> float | None:
    """Return a Python's startup time in milliseconds, or None if it fails."""
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        ended = run_python(path, "pass")
        if not ended or ended.returncode:
            return None
        times.append((time.perf_counter() - begun) * 1000)
    return min(times)  # the minimum, because other processes can only slow it down


def run_python(path: str, code: str) -> "subprocess.CompletedProcess[str] | None":
    return run_program([path, "-I", "-S", "-c", code], TIME_LIMIT)
