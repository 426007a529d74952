"""A system error is reported in one line, with a fix if one is known."""

import errno

import pytest
import typer

from hookwright_console.errors import ReportedError
from hookwright_console.runner import INTERRUPTED, format_error, run_to_end

WAY_OUT = "make room, then run the same command again"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError(errno.ENOSPC, "No space left"), f"no space left on the disk: {WAY_OUT}"),
        (OSError(errno.ENOSPC, "No space left", "/a"), f"no space left for /a: {WAY_OUT}"),
        (OSError(errno.EIO, "Input/output error", "/a"), "/a: Input/output error"),
        (
            OSError(errno.EACCES, "Permission denied", "/a"),
            "no permission for /a: change its permissions, or ask its owner",
        ),
    ],
)
def test_system_error_becomes_a_message(error: OSError, line: str) -> None:
    assert format_error(error) == line


def test_wrapped_interrupt_is_recognised(capsys: pytest.CaptureFixture[str]) -> None:
    chained = ValueError("a validator")
    chained.__context__ = KeyboardInterrupt()
    for error in (ValueError("Error building a validator:\n  KeyboardInterrupt: "), chained):

        def app(error: ValueError = error, **_: object) -> int:
            raise error

        assert run_to_end(app, "hookwright") == INTERRUPTED
        assert capsys.readouterr().err == "hookwright: stopped\n"


def test_user_text_is_not_an_interrupt() -> None:
    for error in (ReportedError("no KeyboardInterrupt"), typer.BadParameter("KeyboardInterrupt")):

        def app(error: Exception = error, **_: object) -> int:
            raise error

        assert run_to_end(app, "hookwright") in {1, 2}
