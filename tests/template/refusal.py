"""Assert that bad answers are refused as they should be, for the tests of the template."""

import re
from pathlib import Path

import pytest

from project import GITLAB, render


def assert_refused(template: Path, destination: Path, answers: object, *parts: str) -> None:
    """Assert that the answers are refused in one line with these parts, and nothing is rendered.

    The first of the answers is the bad one. The line begins with the first part, and has the second
    further on.
    """
    assert isinstance(answers, dict)
    with pytest.raises(ValueError, match="question") as refusal:
        render(template, destination, **{"databases": [GITLAB], **answers})
    line = str(refusal.value)
    question = next(iter(answers))
    start = f"Validation error for question '{question}': "
    assert line.startswith(start + parts[0])
    complaint = line.removeprefix(start + parts[0])
    assert parts[1] in complaint
    assert "\n" not in line
    assert not re.search(rf"\b{question}[.\[]", complaint), "one complaint is enough for a line"
    assert len(line) < 300
    assert not destination.exists() or not list(destination.iterdir())
