"""Copier rejects every invalid answer in the template tests, in agreement with the check."""

from pathlib import Path

import pytest
from copier._main import Worker
from copier._template import Template

from hookwright.answers.validation import check_answers
from hookwright_console.text import is_visible, make_printable

from ..support.bad_answers import BAD_ANSWERS, BAD_LESSON_ANSWERS, BAD_LISTS, BAD_RECORDS, BadAnswer
from ..support.bad_routes import (
    BAD_MAPPINGS,
    BAD_PATTERNS,
    BAD_ROUTES,
    BAD_TESTS,
    BAD_TOOLS,
    UNCOMPILED_TOOLS,
)
from ..support.hypothesis_profiles import mark_long
from ..support.project import GITLAB, ROOT
from ..support.refusal import name_question

KINDS = [
    *(BAD_RECORDS, BAD_LISTS, BAD_ANSWERS, BAD_LESSON_ANSWERS),
    *(BAD_ROUTES, BAD_TESTS, BAD_MAPPINGS, BAD_TOOLS),
]
BAD = [bad for kind in KINDS for bad in kind]
UNCOMPILED = [*BAD_PATTERNS, *UNCOMPILED_TOOLS]  # Copier shows only re's message for these


@pytest.fixture(scope="module")
def read_template(template: Path) -> Template:
    return Template(str(template))


@pytest.mark.parametrize("bad", [*BAD[::12], *mark_long(BAD)], ids=str)
def test_messages_match_copier(read_template: Template, tmp_path: Path, bad: BadAnswer) -> None:
    message = refuse(read_template, tmp_path / "bad", bad)
    assert make_printable(message) == check_answers(ROOT, bad.question, bad.answer, bad.others)


@pytest.mark.parametrize("bad", UNCOMPILED, ids=str)
def test_copier_rejects_uncompilable_patterns(
    read_template: Template, tmp_path: Path, bad: BadAnswer
) -> None:
    assert refuse(read_template, tmp_path / "bad", bad).startswith(bad.what)


def refuse(template: Template, destination: Path, bad: BadAnswer) -> str:
    data = {"databases": [GITLAB], **bad.others, bad.question: bad.answer}
    worker = Worker(template.url, destination, data=data, defaults=True, quiet=True)
    worker.template = template
    with pytest.raises(ValueError, match="question") as refusal:
        worker.run_copy()
    line = str(refusal.value)
    assert line.startswith(name_question(bad))
    assert is_visible(line)
    assert not destination.exists()
    return line.removeprefix(name_question(bad))
