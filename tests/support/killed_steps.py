"""Kill a process right before one of the steps in which it changes files."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import pytest

# Audit events for operations that change the disk, or that run a program that may do so.
STEPS = {"open", "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir"}
STEPS |= {"subprocess.Popen"}
FORKS = pytest.mark.filterwarnings("ignore:This process.*fork:DeprecationWarning")
FAILED = 1


def kill_at(number: int, run: Callable[[], object]) -> bool:
    """Run a function in a fork and kill it at a step; return whether the step was reached.

    Args:
        number: The step, from 1.
        run: The function; it must not fail.

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
