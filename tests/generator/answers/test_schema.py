"""The schema agrees with the template's questions and checks, also as used by editors."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright.answers.schema import QUESTIONS, build_sample, describe_choices
from hookwright.answers.validation import check_answers, check_record

from ...support.hypothesis_profiles import examples
from ...support.project import GITLAB, PULL_REQUEST, ROOT

PATH = ROOT / "generator/schema.json"
SCHEMA = json.loads(PATH.read_text("utf-8"))
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


def is_accepted(name: str, value: object) -> bool:
    validator = jsonschema.Draft7Validator({**SCHEMA, "required": []})
    return bool(validator.is_valid({name: value}))


def list_rules(rule: Any) -> Iterator[dict[str, Any]]:
    if isinstance(rule, dict):
        yield rule
    for inner in (
        rule.values() if isinstance(rule, dict) else rule if isinstance(rule, list) else ()
    ):
        yield from list_rules(inner)


def test_schema_contains_no_jinja_syntax() -> None:
    assert not re.findall(r"\{\{|\{%|\{#", PATH.read_text("utf-8"))


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_patterns_match_the_same_in_javascript() -> None:
    patterns = [rule["pattern"] for rule in list_rules(SCHEMA) if type(rule.get("pattern")) is str]
    assert len(patterns) > 5
    texts = [odd for odd in ODD if isinstance(odd, str)] + ["a-b.c", "http://a:1", "[::1]", "größe"]
    program = (
        f"const [patterns, texts] = {json.dumps([patterns, texts])};"
        "const test = p => texts.map(text => new RegExp(p, 'u').test(text));"
        "console.log(JSON.stringify(patterns.map(test)));"
    )
    completed = subprocess.run(["node", "-e", program], capture_output=True, check=True)  # noqa: S607 - the node of whoever runs the tests
    matches = [[bool(re.search(pattern, text)) for text in texts] for pattern in patterns]
    assert json.loads(completed.stdout) == matches


def test_schema_is_valid() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    questions = {name: question for name, question in CONFIG.items() if not name.startswith("_")}
    shown = {name for name, question in questions.items() if question.get("when") is not False}
    assert set(SCHEMA["properties"]) == shown == set(QUESTIONS)


def test_question_agrees_with_the_schema() -> None:
    for name in sorted(SCHEMA["properties"]):
        question, rule = CONFIG[name], SCHEMA["properties"][name]
        kinds = {"integer": "int", "number": "float", "boolean": "bool", "object": "yaml"}
        choices = rule.get("enum", rule.get("items", {}).get("enum", []))
        many = rule.get("type") == "array" and not choices
        assert question["type"] == ("yaml" if many else kinds.get(rule.get("type"), "str"))
        shown = question.get("choices", {})
        if isinstance(shown, str):  # a Jinja template
            shown = {line: value for value, line in describe_choices(name).items()}
        assert list(shown.values()) == choices
        assert not choices or {v: k for k, v in shown.items()} == describe_choices(name)
        assert re.findall(r"'(\w+)' in hooks", question.get("when", "")) == rule.get("hooks", [])
        if "{" not in str(question.get("default", "{")):
            assert is_accepted(name, question["default"])


def test_question_examples_are_accepted() -> None:
    for name in sorted(set(CONFIG) & set(SCHEMA["properties"])):
        text = CONFIG[name]["help"]
        block = text.partition("\n\n")[2].partition("\n\n")[0]
        inline = next(iter(re.findall(r"e\.g\. (\S*[^\s;)])", text)), "null")
        example = yaml.safe_load(block or inline)
        wanted = [example] if name in {"hooks", "clients"} else example
        assert is_accepted(name, wanted) or example is None, (name, wanted)


def test_schema_examples_are_accepted() -> None:
    for rule in list_rules(SCHEMA):
        validator = jsonschema.Draft7Validator({**rule, "definitions": SCHEMA["definitions"]})
        for example in rule.get("examples", ()):
            assert validator.is_valid(example), (rule, example)


@pytest.mark.parametrize("question", sorted(RECORDS))
def test_sample_is_accepted(question: str) -> None:
    assert not check_record(ROOT, question, build_sample(question))


def test_examples_are_accepted() -> None:
    for path in sorted(ROOT.glob("examples/**/*.yml")):
        for name, value in yaml.safe_load(path.read_text("utf-8")).items():
            assert is_accepted(name, value), (path, name)


@settings(max_examples=examples(300))
@given(st.data())
def test_schema_and_checks_agree_on_records(data: st.DataObject) -> None:
    """They differ only for invisible characters, of which the schema covers just some."""
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
    incompatible = ("only what is blocked can be repeated", "which is not a group of the pattern")
    if any(fault in complaint for fault in incompatible):  # two fields that contradict each other
        return
    assert is_accepted(question, alone) == (not complaint), (field, odd, complaint)


def test_schema_and_checks_agree_on_answers() -> None:
    for name in sorted(set(QUESTIONS) - {"databases", "routes"}):
        for odd in ODD:
            if is_accepted(name, odd):
                assert not check_answers(ROOT, name, odd, {"transport": "http"}), odd
