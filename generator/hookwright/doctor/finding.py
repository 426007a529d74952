"""What a check found."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Status = Literal["ok", "warn", "fault"]


@dataclass(frozen=True)
class Finding:
    """What a check found."""

    check: str  # such as interpreter
    status: Status  # warn: it should be fixed; fault: something does not work
    line: str  # what was found, and the way out


def run_program(words: Sequence[str], seconds: float) -> "subprocess.CompletedProcess[str] | None":
    """Run a program; return how it ended, None if it cannot be run or takes too many seconds."""
    try:
        return subprocess.run(  # noqa: S603 - the user's own
            words,
            cwd=Path.home(),  # a file in the current folder may redirect a shim
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
