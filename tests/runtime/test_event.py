"""A hook exits with its answer, and lets the call through after any error."""

import io
import sys
from collections.abc import Callable

import pytest

from runtime import event


class EndedError(Exception):
    """Raised instead of exiting the process."""


@pytest.fixture
def run_to_exit(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    def fake_exit(code: int) -> None:
        raise EndedError(code)

    def run(decide: Callable[[bytes], str | None]) -> int:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"event")))
        monkeypatch.setattr(event, "end_process", fake_exit)
        with pytest.raises(EndedError) as ended:
            event.answer_event(decide, lambda *_: 2)
        code: int = ended.value.args[0]
        return code

    return run


@pytest.mark.parametrize(
    "error",
    [ValueError, KeyboardInterrupt, SystemExit, MemoryError, RecursionError, BrokenPipeError],
)
def test_any_failure_lets_the_call_through(
    run_to_exit: Callable[..., int], capfd: pytest.CaptureFixture[str], error: type[BaseException]
) -> None:
    def fail(_: bytes) -> None:
        raise error

    assert run_to_exit(fail) == 0
    assert capfd.readouterr() == ("", "")


def test_decide_receives_the_raw_bytes(run_to_exit: Callable[..., int]) -> None:
    seen: list[bytes] = []
    assert run_to_exit(seen.append) == 0
    assert seen == [b"event"]


def test_exit_code_matches_the_output(run_to_exit: Callable[..., int]) -> None:
    assert run_to_exit(bytes.decode) == 2


def test_failure_is_reported_in_debug_mode(
    run_to_exit: Callable[..., int],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event, "DEBUG", True)

    def fail(_: bytes) -> None:
        message = "no query"
        raise KeyError(message)

    assert run_to_exit(fail) == 0
    stdout, stderr = capfd.readouterr()
    assert (stdout, stderr) == ("", "hookwright: let through because of KeyError('no query')\n")
