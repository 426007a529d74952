"""A worker process reports failures in one line and is stopped after a timeout."""

import os
import time
from collections.abc import Callable

import anyio
import pytest

from hookwright_console.errors import RefusedError, ReportedError
from lesson_search.background import worker_process
from lesson_search.background.worker_process import run_aside


@pytest.mark.parametrize(
    ("function", "argument", "reason"),
    [
        (int, "x", "unexpected ValueError"),
        (os.listdir, "/none", "/none: No such file"),
        (os._exit, 1, "ended early"),
    ],
)
def test_failure_is_reported_in_one_line(
    function: Callable[[object], object], argument: object, reason: str
) -> None:
    with pytest.raises(ReportedError) as caught:
        anyio.run(run_aside, function, argument)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def refuse() -> None:
    raise RefusedError("no")


def test_rejection_keeps_its_message() -> None:
    with pytest.raises(RefusedError, match=r"^no$"):
        anyio.run(run_aside, refuse)


def test_stuck_worker_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "TIMEOUT", 1.0)
    with pytest.raises(ReportedError, match="takes too long"):
        anyio.run(run_aside, time.sleep, 60)
