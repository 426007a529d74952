"""A data file is parsed as in Copier, but strictly, and written files round-trip."""

import json
import re
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hookwright.answers.yaml_files import REFUSAL, MisplacedError, read_document, write_yaml

from ...support.hypothesis_profiles import examples
from ...support.processor_limit import limit_processor
from ...support.project import ROOT

TEXTS = st.text() | st.text(alphabet="ab01 \n#>:-'\"{}|*&!%@\t\r\u2028\x85\ufeff")
TEXTS |= st.sampled_from(["on", "no", "010", "1_0", "~", "2024-01-01", "1e3", "<<", "=", "..."])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, width=32) | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS | st.just("pattern"), inner),
)
BOMB = "a: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(20))


def test_json_escapes_are_decoded() -> None:
    value = {"\N{FOX FACE}": ["a \N{FOX FACE} \\ud83e"]}
    assert read_document(json.dumps(value)).value == value


def test_examples_parse_as_in_copier() -> None:
    for path in sorted(ROOT.glob("examples/**/*.yml")):
        text = path.read_text("utf-8")
        value = yaml.safe_load(text)
        assert read_document(text).value == value, path
        assert read_document(write_yaml(value)).value == value, path


@settings(max_examples=examples(200))
@given(VALUES)
@example(f"a\n{REFUSAL}b\nc")
def test_written_yaml_round_trips(value: Any) -> None:
    text = write_yaml({"answer": value})
    assert yaml.safe_load(text) == read_document(text).value == {"answer": value}
    assert not any(line.lstrip().startswith(REFUSAL.strip()) for line in text.splitlines())


def test_long_list_takes_few_lines() -> None:
    words = [f"key word {number}" for number in range(60)]
    lines = write_yaml([{"keywords": words, "with": ["one", "two"]}]).splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) < 15
    assert lines[0].startswith("- keywords: [key word 0, key word 1,")
    assert lines[-3:] == ["  with:", "    - one", "    - two"]


@settings(max_examples=examples(100))
@given(st.lists(TEXTS | st.text(min_size=100, max_size=200), min_size=7))
def test_long_list_round_trips(items: list[str]) -> None:
    assert read_document(write_yaml({"keywords": items})).value == {"keywords": items}


def test_line_numbers_are_known() -> None:
    document = read_document("a:\n  - b: 1\n\n    c: 2\n  - d\n")
    assert document.lines == {
        (): 0,
        ("a",): 0,
        ("a", 0): 1,
        ("a", 0, "b"): 1,
        ("a", 0, "c"): 3,
        ("a", 1): 4,
    }
    assert document.find_line(("a", 0, "x", 5)) == 1


def test_invalid_yaml_is_reported_with_its_line() -> None:
    for text, line, words in [
        ("a: 1\nb: [", 1, "this is not YAML"),
        ("a: 1\nb: {a: 1, c: 2}\na: 2", 2, "duplicate key a"),
        ("a: 1\nb: \x07", 1, "YAML cannot hold U+0007"),
        ("a: &x [1]\nb: *x", 0, "aliases (*name) are not supported"),
        (BOMB, 0, "aliases (*name)"),
        ("a: 2024-13-45", 0, "a date cannot be read"),
        ("a: 1\nb: !!python/name:os.system x", 1, "this is not YAML"),
        ("a: 1\n---\nb: 2", 1, "this is not YAML"),
        ("a: 1\nb: 2026-12-31T23:59:60Z", 1, "in 0..59), put it in quotes"),
        ("[" * 5000, 0, "nested too deeply"),
        ("a: 1\nb: " + "9" * 5000, 1, "a number is too long"),
    ]:
        with pytest.raises(MisplacedError) as caught:
            read_document(text)
        assert words in str(caught.value)
        assert caught.value.line == line


def test_expensive_number_is_rejected_at_once() -> None:
    with limit_processor(), pytest.raises(MisplacedError, match="too long"):
        read_document("a: 1" + ":59" * 300_000)


@settings(max_examples=examples(200))
@given(TEXTS | VALUES.map(json.dumps) | st.text(alphabet="a:- \n[]{}&*!|>'\"#?%@,0123T"))
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    """As in JSON, only a surrogate pair forms one character."""
    try:
        value = read_document(text).value
    except MisplacedError:
        return
    read = ascii(yaml.safe_load(text))
    pairs = re.compile(r"\\ud[89ab]..\\ud[c-f]..")
    assert ascii(value) == pairs.sub(lambda pair: ascii(json.loads(f'"{pair[0]}"'))[1:-1], read)
