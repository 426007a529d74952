"""Time commands as whole processes, side by side.

Every round runs every case once, so that a machine that speeds up or slows down does so for all.
A case is compared with the first by its time divided by the first's of the same round.
"""

import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track


@dataclass(frozen=True)
class Case:
    """A command to time.

    Args:
        name: What the table calls it.
        command: The command line.
        stdin: What it gets on stdin.
        code: The exit code that it must end with.
        limit: What its time may be at most, in times of the first case.
        folder: The folder to run it in.
        prepare: What to do, untimed, before each run.

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
    """What a case took: the median in milliseconds, and the median of its ratios to the first."""

    milliseconds: float
    ratio: float


def time_cases(cases: Sequence[Case], rounds: int) -> list[Timing]:
    """Run each case `rounds` times in turn; return its timing.

    Raises SystemExit where a case does not end with its exit code.
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
    done = subprocess.run(
        case.command, input=case.stdin, capture_output=True, check=False, cwd=case.folder
    )
    elapsed = time.perf_counter() - start
    if done.returncode != case.code:
        message = f"{case.name} ended with {done.returncode}: {done.stderr.decode()}"
        raise SystemExit(message)
    return elapsed
