"""Time commands as whole processes, side by side.

Each round runs every case once, so that changes in the machine's speed affect all cases equally. A
case's ratio is its time divided by the first case's time in the same round.
"""

import argparse
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table


@dataclass(frozen=True)
class Case:
    """A command to time.

    Args:
        name: The case's name in the table.
        command: The command line.
        stdin: The command's standard input.
        code: The expected exit code.
        limit: The maximum ratio to the first case.
        folder: The folder to run the command in.
        prepare: Called before each run, outside the timing.

    """

    name: str
    command: Sequence[str]
    stdin: bytes = b""
    code: int = 0
    limit: float | None = None
    folder: Path | None = None
    prepare: Callable[[], object] | None = None


@dataclass(frozen=True)
class Timing:
    """A case's time: the median in milliseconds, and the median ratio to the first case."""

    milliseconds: float
    ratio: float


def read_options(description: str | None) -> argparse.Namespace:
    """Return the command-line options: `rounds`, `python`, and the `title` of the results."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=100, help="how often to run each case")
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the hooks")
    options = parser.parse_args()
    version = subprocess.check_output([options.python, "--version"], text=True).strip()
    options.title = f"{version}, {platform.system()} {platform.machine()}"
    return options


def time_cases(cases: Sequence[Case], rounds: int) -> list[Timing]:
    """Run all cases in turn, `rounds` times; return the timings.

    Raises SystemExit if a case ends with an unexpected exit code.
    """
    progress = track(range(rounds), "Timing", console=Console(stderr=True), transient=True)
    seconds = [[run_case(case) for case in cases] for _ in progress]
    return [
        Timing(
            statistics.median(times[number] for times in seconds) * 1000,
            statistics.median(times[number] / times[0] for times in seconds),
        )
        for number in range(len(cases))
    ]


def run_case(case: Case) -> float:
    """Run a case once; return its time in seconds."""
    if case.prepare:
        case.prepare()
    start = time.perf_counter()
    completed = subprocess.run(
        case.command, input=case.stdin, capture_output=True, check=False, cwd=case.folder
    )
    elapsed = time.perf_counter() - start
    if completed.returncode != case.code:
        message = f"{case.name} ended with {completed.returncode}: {completed.stderr.decode()}"
        raise SystemExit(message)
    return elapsed


def build_table(title: str, cases: Sequence[Case], timings: Sequence[Timing]) -> tuple[Table, bool]:
    """Return a table of the times, and whether a limit was exceeded."""
    table = Table("case", "median ms", "x first", "at most", title=title)
    exceeded = False
    for case, timing in zip(cases, timings, strict=True):
        over = case.limit is not None and timing.ratio > case.limit
        exceeded |= over
        limit = "" if case.limit is None else f"{case.limit:.2f}{' exceeded' if over else ''}"
        table.add_row(case.name, f"{timing.milliseconds:.1f}", f"{timing.ratio:.2f}", limit)
    return table, exceeded
