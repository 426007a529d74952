"""Refuse what the template's checks, or those of patterns, have something against."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright_console.errors import RefusedError

if TYPE_CHECKING:
    from hookwright.patterns.check import PatternFault

UNNAMED = "routes: "  # how a complaint of a pattern that does not compile begins


class PatternError(RefusedError):
    """A pattern of a route is wrong, or can backtrack without end."""

    def __init__(self, flaw: "PatternFault") -> None:
        """Keep what is to be seen below the message: the pattern, and a caret under the place."""
        super().__init__(str(flaw))
        _, *lines = flaw.show().split("\n")
        self.details = () if flaw.position is None else tuple(lines)


def refuse_flaws(
    template: Path, question: str, answer: object, known: Mapping[str, Any] | None = None
) -> None:
    """Check an answer before anything is made of it.

    Args:
        template: The folder of the template, whose checks hold.
        question: The name of the question.
        answer: The answer.
        known: Routes that the project has; their patterns are not looked at again.

    Raises:
        RefusedError: Something is wrong with it.

    """
    from hookwright.answers.validation import check_answers
    from hookwright.patterns.check import check_routes

    complaint = check_answers(template, question, answer)
    named = complaint and not complaint.startswith(UNNAMED)
    if question == "routes" and isinstance(answer, dict) and not named:
        new = {name: route for name, route in answer.items() if (known or {}).get(name) != route}
        for flaw in check_routes(new):
            raise PatternError(flaw)
    if complaint:
        raise RefusedError(complaint)
