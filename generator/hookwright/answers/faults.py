"""Reject invalid answers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookwright.answers.validation import format_fault, list_faults
from hookwright.patterns.check import PatternFault, check_routes
from hookwright_console.errors import RefusedError


class PatternError(RefusedError):
    """A route's pattern is invalid or backtracks without limit."""

    def __init__(self, fault: PatternFault) -> None:
        super().__init__(str(fault))
        _, *lines = fault.show().split("\n")
        self.details = () if fault.position is None else tuple(lines)


def refuse_faults(
    template: Path,
    question: str,
    answer: object,
    known: Mapping[str, Any] | None = None,
    *,
    earlier: object = (),
    whose: str = "",
) -> None:
    """Reject answers that fail a template's checks, and patterns that may not terminate.

    Patterns of the `known` routes are not checked again, and faults of the `earlier` answer are
    allowed. `whose` begins the message; "" for the user's own answer.
    """
    for fault in list_faults(template, question, answer, earlier=earlier):
        told = format_fault(template, fault)
        raise RefusedError(f"{whose}: {told}" if whose else told)
    if question == "routes" and isinstance(answer, dict):
        new = {name: route for name, route in answer.items() if (known or {}).get(name) != route}
        for wrong in check_routes(new):
            raise PatternError(wrong)
