"""Assert that invalid answers are rejected with the expected errors."""

import json
import re

from hookwright.answers.validation import check_answers

from .bad_answers import BadAnswer
from .project import ROOT


def assert_refused(bad: BadAnswer) -> None:
    message = check_answers(ROOT, bad.question, bad.answer, bad.others)
    assert_says(message.removeprefix(f"{bad.question}: "), bad)


def assert_uncompiled(bad: BadAnswer, field: str) -> None:
    message = check_answers(ROOT, bad.question, bad.answer)
    problem, _, _ = bad.what.partition(" at position ")
    assert message.startswith(
        f"routes.r: {field} is {json.dumps(bad.answer['r'][field])}: {problem}: "
    )


def assert_says(said: str, bad: BadAnswer) -> None:
    assert said.startswith(bad.what)
    complaint = said.removeprefix(bad.what)
    assert bad.way_out in complaint
    assert "\n" not in said
    assert not re.search(rf"\b{bad.question}[.\[]", complaint), "one complaint is enough for a line"
    assert len(name_question(bad) + said) < 300


def name_question(bad: BadAnswer) -> str:
    return f"Validation error for question '{bad.question}': "
