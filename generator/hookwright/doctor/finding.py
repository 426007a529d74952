"""What a check found."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warn", "fault"]


@dataclass(frozen=True)
class Finding:
    """What a check found."""

    check: str  # such as interpreter
    status: Status  # warn: it should be fixed; fault: something does not work
    line: str  # what was found, and the way out
