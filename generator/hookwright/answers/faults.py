"""What is wrong with an answer, as data, and refuse the answers that something is wrong with."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.answers.yaml_reader import Place
from hookwright_console.errors import RefusedError

if TYPE_CHECKING:
    from hookwright.patterns.check import PatternFault


@dataclass(frozen=True)
class AnswerFault:
    """What is wrong with an answer. The template's checks put it into words.

    Attributes:
        path: The question, and the keys and indexes that lead from there to the value.
        value: What is there; None where something is missing.
        message: What is wrong with it.
        way_out: What to do.
        within: Whether the message is about what holds the last key of the path.

    """

    path: Place
    value: Any
    message: str
    way_out: str
    within: bool = False


class PatternError(RefusedError):
    """A pattern of a route is wrong, or can backtrack without end."""

    def __init__(self, flaw: "PatternFault") -> None:
        """Keep what to show below the message: the pattern, and a caret under the place."""
        super().__init__(str(flaw))
        _, *lines = flaw.show().split("\n")
        self.details = () if flaw.position is None else tuple(lines)


def refuse_faults(
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
    from hookwright.answers.validation import list_faults, word
    from hookwright.patterns.check import check_routes

    for fault in list_faults(template, question, answer):
        raise RefusedError(word(template, fault))
    if question == "routes" and isinstance(answer, dict):
        new = {name: route for name, route in answer.items() if (known or {}).get(name) != route}
        for flaw in check_routes(new):
            raise PatternError(flaw)
