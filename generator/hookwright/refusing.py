"""Refuse what the template's checks, or those of patterns, have something against."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookwright.refusal import RefusedError

UNNAMED = "routes: "  # how a complaint of a pattern that does not compile begins


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
    from hookwright.checking import check_answers  # noqa: PLC0415 - takes Jinja
    from hookwright.patterns import check_routes  # noqa: PLC0415 - takes a moment

    complaint = check_answers(template, question, answer)
    named = complaint and not complaint.startswith(UNNAMED)
    if question == "routes" and isinstance(answer, dict) and not named:
        new = {name: route for name, route in answer.items() if (known or {}).get(name) != route}
        for flaw in check_routes(new):
            raise RefusedError(str(flaw))
    if complaint:
        raise RefusedError(complaint)
