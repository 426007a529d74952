"""What a check found."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warn", "fault"]


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Args:
        check: What was looked at, such as interpreter.
        status: Whether all is well; or should be mended; or must be, for something does not work.
        line: What was found, in one line with the way out.

    """

    check: str
    status: Status
    line: str
