"""An error of the system becomes one line, with a way out where there is one."""

import errno

import pytest

from hookwright_console.runner import word_error

WAY_OUT = "make room, then run the same command again"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError(errno.ENOSPC, "No space left"), f"no space left on the disk: {WAY_OUT}"),
        (OSError(errno.ENOSPC, "No space left", "/a"), f"no space left for /a: {WAY_OUT}"),
        (OSError(errno.EIO, "Input/output error", "/a"), "/a: Input/output error"),
    ],
)
def test_error_of_the_system_is_worded(error: OSError, line: str) -> None:
    """A full disk is named as such, even where the system names no file."""
    assert word_error(error) == line
