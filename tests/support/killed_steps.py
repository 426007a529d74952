"""Kill what changes files right before one of its steps."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import pytest

# What changes something on the disk, or runs a program that may.
STEPS = {"open", "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir"}
STEPS |= {"subprocess.Popen"}
FORKS = pytest.mark.filterwarnings("ignore:This process.*fork:DeprecationWarning")
FAILED = 1


def kill_at(number: int, run: Callable[[], object]) -> bool:
    """Run something in a process of its own, and kill it at a step; return whether it had so many.

    Args:
        number: Of the step, from 1.
        run: What to run; it must not fail.

    """
    child = os.fork()
    if child:
        status = os.waitpid(child, 0)[1]
        assert status in (0, signal.SIGKILL)
        return status != 0
    steps = 0

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal steps
        writes = event != "open" or (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)
        if event in STEPS and writes:
            steps += 1
            if steps == number:
                os.kill(os.getpid(), signal.SIGKILL)

    code = FAILED
    try:
        sys.addaudithook(watch)
        run()
        code = 0
    finally:
        os._exit(code)
