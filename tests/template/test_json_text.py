"""Edits to a JSON text are minimal, and undoing them restores its bytes."""

import json
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright.installer import json_text

from ..support.hypothesis_profiles import examples

EVENTS = ["PreToolUse", "SessionStart", "Stop"]


def rewrite(text: str, wanted: Any) -> str:
    changed: str = json_text.rewrite(text, wanted)
    return changed


def enter(project: str) -> dict[str, Any]:
    return {"matcher": "WebSearch", "hooks": [{"type": "command", "command": f"run {project}"}]}


def add(value: Any, project: str, events: list[str]) -> Any:
    hooks = value.get("hooks", {})
    more = {event: [*hooks.get(event, []), enter(project)] for event in events}
    return {**value, "hooks": {**hooks, **more}}


def remove(value: Any, project: str) -> Any:
    hooks = {}
    for event, entries in value.get("hooks", {}).items():
        left = [entry for entry in entries if entry != enter(project)]
        if left or not entries:
            hooks[event] = left
    rest = {key: member for key, member in value.items() if key != "hooks"}
    return {**rest, "hooks": hooks} if hooks else rest


def change(text: str, edit: Callable[..., Any], *words: Any) -> str:
    return rewrite(text, edit(json.loads(text.removeprefix("\ufeff")), *words))


SPACES = st.text(" \t\r\n", max_size=3)
STRINGS = st.text(max_size=4).flatmap(
    lambda text: st.sampled_from([json.dumps(text), json.dumps(text, ensure_ascii=False)])
)
SCALARS = st.sampled_from(["null", "true", "0", "-0", "1e3", "1.0", "1E-2", "1e999", "1" * 30])


def enclose(brackets: str, parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    first, last = tuple(brackets)
    most = 3 if brackets == "[]" else 1  # all generated members have the same name
    spaced = st.tuples(SPACES, parts, SPACES).map("".join)
    return st.one_of(
        SPACES.map(lambda space: first + space + last),
        st.lists(spaced, min_size=1, max_size=most).map(lambda some: first + ",".join(some) + last),
    )


def name(keys: st.SearchStrategy[str], values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(keys, SPACES, st.just(":"), SPACES, values).map("".join)


VALUES = st.recursive(
    SCALARS | STRINGS,
    lambda inner: enclose("[]", inner) | enclose("{}", name(st.just('"a"'), inner)),
    max_leaves=4,
)
ENTRIES = enclose("[]", VALUES)


@st.composite
def draw_texts(draw: st.DrawFn) -> str:
    events = draw(st.lists(st.sampled_from(EVENTS), unique=True, max_size=2))
    hooks = draw(join([draw(name(st.just(f'"{event}"'), ENTRIES)) for event in events]))
    members = [draw(name(st.just(f'"{key}"'), VALUES)) for key in draw(st.sampled_from(KEYS))]
    if draw(st.booleans()):
        members.insert(draw(st.integers(0, len(members))), draw(name(HOOKS_KEY, st.just(hooks))))
    text = draw(join(members))
    if draw(st.booleans()):
        indent = draw(st.sampled_from([None, 0, 2, 4, "\t"]))
        text = json.dumps(json.loads(text.replace("1e999", "9")), indent=indent)
    text = draw(SPACES) + text + draw(SPACES)
    return draw(st.sampled_from(["", "\ufeff"])) + text


KEYS = [[], ["model"], ["model", "é"], ["a", "b", "c"]]
HOOKS_KEY = st.sampled_from(['"hooks"', '"\\u0068ooks"'])


def join(members: list[str]) -> st.SearchStrategy[str]:
    if not members:
        return SPACES.map("{{{}}}".format)
    spaced = [st.tuples(SPACES, st.just(member), SPACES).map("".join) for member in members]
    return st.tuples(*spaced).map(lambda some: "{" + ",".join(some) + "}")


@settings(max_examples=examples(250))
@given(text=draw_texts(), events=st.lists(st.sampled_from(EVENTS), min_size=1, unique=True))
def test_addition_is_present_and_removable(text: str, events: list[str]) -> None:
    value = json.loads(text.removeprefix("\ufeff"))
    added = change(text, add, "a", events)
    assert json.loads(added.removeprefix("\ufeff")) == add(value, "a", events)
    assert change(added, add, "b", []) == added
    assert change(added, remove, "a") == text


@settings(max_examples=examples(100))
@given(
    text=draw_texts(),
    events=st.lists(
        st.lists(st.sampled_from(EVENTS), min_size=1, unique=True), min_size=3, max_size=3
    ),
)
def test_projects_are_added_and_removed_in_any_order(text: str, events: list[list[str]]) -> None:
    added = text
    for project, ones in zip("abc", events, strict=True):
        added = change(added, add, project, ones)
    for order in permutations("abc"):
        left = added
        for project in order:
            left = change(left, remove, project)
        assert left == text


def write_first(text: str) -> str:
    return text.replace("{", '{\t"first" : [ 1],', 1)


def write_last(text: str) -> str:
    before, bracket, space = text.rpartition("}")
    return before.rstrip() + ' , "last": {\n}' + bracket + space


@pytest.mark.parametrize("edit", [write_first, write_last])
@settings(max_examples=examples(100))
@given(text=draw_texts().filter(lambda text: '"' in text))
def test_unrelated_edits_are_kept(edit: Callable[[str], str], text: str) -> None:
    added = edit(change(text, add, "a", EVENTS))
    assert change(added, remove, "a") == edit(text)


LAYOUTS = {
    "two": ('{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "hooks": {\n    "Stop": [\n      {\n'),
    "four": ('{\n    "a": 1\n}', '{\n    "a": 1,\n    "hooks": {\n        "Stop": [\n'),
    "tabs": ('{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n'),
    "minified": (
        '{"a":1}',
        '{"a":1, "hooks": {"Stop": [{"matcher": "WebSearch", "hooks": [{"type":',
    ),
    "empty": ("{}", '{\n  "hooks": {\n    "Stop": [\n      {\n        "matcher": "WebSearch",\n'),
    "no hooks": ('{\n  "hooks": {}\n}', '{\n  "hooks": {\n    "Stop": [\n      {\n'),
    "inline": ('{\n  "hooks": {"Stop": [1]}\n}', '{\n  "hooks": {"Stop": [1, {\n    "matcher": "W'),
    "hugged": (
        '{\n  "hooks": {"Stop": [{\n    "a": 1\n  }]}\n}',
        '{\n  "hooks": {"Stop": [{\n    "a": 1\n  }, {\n    "matcher": "WebSearch",\n',
    ),
    "blank lines": ('{\n\n  "a": 1,\n\n  "b": 2\n}', '{\n\n  "a": 1,\n\n  "b": 2,\n  "hooks": {\n'),
    "indented": ('  {\n    "a": 1\n  }', '  {\n    "a": 1,\n    "hooks": {\n      "Stop": [\n'),
}


def test_new_text_follows_the_existing_layout() -> None:
    for text, begins in LAYOUTS.values():
        assert change(text, add, "a", ["Stop"]).startswith(begins)


def test_handler_is_removed_from_a_shared_entry() -> None:
    text = '{"hooks": {"Stop": [ {"x":1,  "hooks": [{"a": 1 },  {"b":  2}]}, {"hooks": []}] }}'
    wanted = {"hooks": {"Stop": [{"x": 1, "hooks": [{"b": 2}]}, {"hooks": []}]}}
    assert rewrite(text, wanted) == text.replace('{"a": 1 },  ', "")


def test_new_value_replaces_the_old_one() -> None:
    text = '{ "a" : 1,\n"b": [1 , 2], "c": {"d": true} }'
    wanted = {"c": {"d": 1}, "b": [1, 3], "a": []}
    assert rewrite(text, wanted) == '{ "a" : [],\n"b": [1, 3], "c": {"d": 1} }'


def test_equal_object_keeps_its_text() -> None:
    text = '{"a": 1e3, "b":\n{"c": "\\u00e9", "d": null} }'
    assert rewrite(text, {"b": {"d": None, "c": "é"}, "a": 1000.0}) == text


@pytest.mark.parametrize("text", ["{,}", '{"a": 1, "a": 2}', "[1]", '{"a": 1} x', "", "{"])
def test_text_without_an_object_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        rewrite(text, {"b": 1})
