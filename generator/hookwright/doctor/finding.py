"""What a check found."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warn", "fault"]


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Args:
        check: What was checked, such as interpreter.
        status: ok; warn where something should be fixed; fault where something does not work.
        line: What was found and the way out, in one line.

    """

    check: str
    status: Status
    line: str
