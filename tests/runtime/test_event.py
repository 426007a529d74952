"""A hook ends with its answer, or lets the call through whatever went wrong."""

import io
import sys
from collections.abc import Callable

import pytest

from runtime import event


class EndedError(Exception):
    """Raised in the place of the process's end."""


@pytest.fixture
def end_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
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
    end_of: Callable[..., int], capfd: pytest.CaptureFixture[str], error: type[BaseException]
) -> None:
    def fail(_: bytes) -> None:
        raise error

    assert end_of(fail) == 0
    assert capfd.readouterr() == ("", "")


def test_decision_gets_the_bytes(end_of: Callable[..., int]) -> None:
    seen: list[bytes] = []
    assert end_of(seen.append) == 0
    assert seen == [b"event"]


def test_code_is_that_of_what_was_told(end_of: Callable[..., int]) -> None:
    assert end_of(bytes.decode) == 2


def test_failure_is_told_in_debug_mode(
    end_of: Callable[..., int],
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event, "DEBUG", True)

    def fail(_: bytes) -> None:
        message = "no query"
        raise KeyError(message)

    assert end_of(fail) == 0
    stdout, stderr = capfd.readouterr()
    assert (stdout, stderr) == ("", "hookwright: let through because of KeyError('no query')\n")
