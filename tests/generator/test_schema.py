"""The JSON Schema by which editors check answers says what the template's own checks say."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright.answers.questions import QUESTIONS
from hookwright.answers.validation import check_answers, check_record
from profiles import examples
from project import GITLAB, PULL_REQUEST, ROOT

SCHEMA = json.loads((ROOT / "generator/schema.json").read_text("utf-8"))
CONFIG = yaml.safe_load((ROOT / "copier.yml").read_text("utf-8"))
TEST = {
    "desc": "a pull request",
    "input": {"tool_name": "WebFetch", "tool_input": {"url": "https://github.com/a/b/pull/1"}},
    "expect": "block",
}
ODD: list[Any] = [None, 5, 1.5, True, "", " x", "x", "a b", "x\ny", "x.y", [], ["x"], [5], {}]
ODD += [{"x": "y"}, "block", "allow", "https://x", "a\u200bb", "\u00a0x", "command", -1, 0, 10**6]
RECORDS: dict[str, dict[str, Any]] = {
    "databases": {**GITLAB, "name": "x", "arguments": {"top_k": 3}, "domains": ["docs.gitlab.com"]},
    "routes": {
        **PULL_REQUEST,
        "tool": "WebFetch",
        "field": "url",
        "action": "block",
        "once": True,
        "raw": False,
        "requires": "gh",
        "contains": "github.com/",
        "tests": [TEST],
    },
}


def takes(name: str, value: object) -> bool:
    """Tell whether the schema takes an answer."""
    validator = jsonschema.Draft7Validator({**SCHEMA, "required": []})
    return bool(validator.is_valid({name: value}))


def test_schema_is_one() -> None:
    """It is valid, and knows the questions of the template, which are those that have comments."""
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    asked = {name for name in CONFIG if not name.startswith("_")}
    assert set(SCHEMA["properties"]) == asked == set(QUESTIONS)


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/**/*.yml")), ids=lambda path: path.name)
def test_examples_are_taken(path: Path) -> None:
    """All that the examples hold is as the schema wants it."""
    for name, value in yaml.safe_load(path.read_text("utf-8")).items():
        assert takes(name, value), name


@settings(max_examples=examples(300))
@given(st.data())
def test_schema_and_checks_agree_on_records(data: st.DataObject) -> None:
    """A field with an odd value, or without one, is taken by both or by neither.

    But for characters that cannot be seen, whose list is Python's: of those the schema knows few.
    """
    question = data.draw(st.sampled_from(sorted(RECORDS)))
    record = dict(RECORDS[question])
    field = data.draw(st.sampled_from(sorted(record)))
    odd = data.draw(st.sampled_from(ODD) | st.just(...))
    record |= {field: odd}
    if odd is ...:
        del record[field]
    complaint = check_record(ROOT, question, record)
    alone = [record] if question == "databases" else {"name": record}
    if odd == "a\u200bb" and "cannot be printed" in complaint:
        return
    if "only what is blocked can be repeated" in complaint:  # two fields that do not go together
        return
    assert takes(question, alone) == (not complaint), (field, odd, complaint)


@pytest.mark.parametrize("name", sorted(set(QUESTIONS) - {"databases", "routes"}))
def test_schema_and_checks_agree_on_answers(name: str) -> None:
    """What the schema takes for an answer, the template takes as well."""
    for odd in ODD:
        if takes(name, odd):
            assert not check_answers(ROOT, name, odd, {"transport": "http"}), odd
