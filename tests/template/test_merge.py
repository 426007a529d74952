"""Merging our entries into any settings and removing them again changes nothing else."""

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright.installer import entries

from ..support.hypothesis_profiles import examples

if TYPE_CHECKING:
    from pathlib import Path

COMMANDS = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=20)})
REQUESTS = st.fixed_dictionaries(
    {"type": st.just("http"), "url": st.text(max_size=20)},
    optional={"headers": st.dictionaries(st.text(max_size=5), st.text(max_size=5))},
)
HANDLERS = COMMANDS | REQUESTS
ENTRIES = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLERS, max_size=3)}, optional={"matcher": st.text(max_size=9)}
)
EVENTS = st.sampled_from(["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart"])
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
HOOKS = st.dictionaries(EVENTS, st.lists(ENTRIES | JSON, max_size=3))
SETTINGS = st.builds(
    lambda rest, hooks: {**rest, **hooks},
    st.dictionaries(st.text(max_size=8).filter(lambda key: key != "hooks"), JSON, max_size=4),
    st.fixed_dictionaries({}, optional={"hooks": HOOKS}),
)


@pytest.fixture(scope="module", params=["project", "lessons", "lessons_http"])
def snippet(request: pytest.FixtureRequest) -> dict[str, Any]:
    project: Path = request.getfixturevalue(request.param)
    snippet: dict[str, Any] = json.loads((project / "settings.json").read_text())
    return snippet


def drop_empty(before: dict[str, Any]) -> dict[str, Any]:
    hooks = dict(before.get("hooks", {}))
    for event in ("PreToolUse", "SessionStart", "UserPromptSubmit"):
        if hooks.get(event) == []:
            del hooks[event]
    rest = {key: value for key, value in before.items() if key != "hooks"}
    return {**rest, "hooks": hooks} if hooks else rest


def fit_commands(snippet: dict[str, Any], scope: str, python: str) -> dict[str, Any]:
    fitted: dict[str, Any] = json.loads(json.dumps(snippet))
    for _, _, handler in entries.list_handlers(fitted):
        if command := entries.read_command(handler):
            handler["command"] = entries.fit_command(command, "my-hooks", scope, python)
    return fitted


def unname(written: dict[str, Any]) -> list[str]:
    plain: list[str] = entries.unname_interpreter(entries.list_ours(written, ["my-hooks"]))
    return plain


@settings(max_examples=examples(100))
@given(before=SETTINGS)
def test_merge_and_removal_round_trip(snippet: dict[str, Any], before: dict[str, Any]) -> None:
    names = ["my-hooks"]
    wanted = fit_commands(snippet, "project", "")
    merged = entries.merge_entries(before, wanted, names)
    assert unname(merged) == unname(wanted)
    assert entries.merge_entries(merged, wanted, names) == merged
    assert drop_empty(entries.remove_entries(merged, names)) == drop_empty(before)
    assert entries.remove_entries(merged, ["my"]) == merged


@pytest.mark.parametrize("scope", ["user", "project", "local"])
def test_interpreter_is_not_a_difference(snippet: dict[str, Any], scope: str) -> None:
    first, other = (
        unname(fit_commands(snippet, scope, python))
        for python in ("/usr/bin/python3.9", "/opt/a b/it's python")
    )
    assert first == other != []
