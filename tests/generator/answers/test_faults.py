"""A fault is structured data: its path leads to the error, even through unusual names."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright.answers.validation import format_fault, list_faults, list_uncompiled

from ...support.printable_values import TEXT
from ...support.project import GITLAB, PULL_REQUEST, ROOT

CALL = {"tool_name": "WebFetch", "tool_input": {"url": "https://a/b"}}
TEST: dict[str, Any] = {"desc": "a page", "input": CALL, "expect": "block"}
# Names that contain the separators used in messages.
NAMES = [
    "github-pr",
    "a.b",
    "a",
    "a: pattern",
    "a: tests[0]",
    "a[0]",
    "a is b",
    "a has no message",
    "a: tests[1]: expect is",
]
PATHS: list[tuple[dict[str, Any], tuple[Any, ...]]] = [
    ({"databases": []}, ("databases",)),
    ({"databases": [5]}, ("databases", 0)),
    ({"databases": [GITLAB, {**GITLAB, "path": ""}]}, ("databases", 1, "path")),
    ({"databases": [{"path": "a"}]}, ("databases", 0, "keywords")),
    ({"databases": [{**GITLAB, "pth": "a"}]}, ("databases", 0, "pth")),
    ({"databases": [{**dict[Any, Any](GITLAB), True: "a"}]}, ("databases", 0, True)),
    ({"databases": [{**GITLAB, "keywords": ["a", 5]}]}, ("databases", 0, "keywords", 1)),
    ({"databases": [{**GITLAB, "keywords": "a"}]}, ("databases", 0, "keywords")),
    (
        {"databases": [{**GITLAB, "arguments": {"a": 1, "a.b": {"c is d": [0, 1e400]}}}]},
        ("databases", 0, "arguments", "a.b", "c is d", 1),
    ),
    (
        {"databases": [{**GITLAB, "arguments": {"a": {5: 6}}}]},
        ("databases", 0, "arguments", "a", 5),
    ),
    ({"mcp_servers": {"a": 5}}, ("mcp_servers", "a")),
    ({"mcp_servers": {"a": {}}}, ("mcp_servers", "a", "command")),
    ({"mcp_servers": {"a b": {}}}, ("mcp_servers", "a b")),
    ({"mcp_servers": {"a": {"command": "b", "env": {"C": 1}}}}, ("mcp_servers", "a", "env", "C")),
    ({"routes": {"": PULL_REQUEST}}, ("routes", "")),
    ({"routes": {5: PULL_REQUEST}}, ("routes", 5)),
    ({"retry_window": 0}, ("retry_window",)),
    ({"project_name": "A"}, ("project_name",)),
]
FAULTS: list[tuple[dict[str, Any] | int, tuple[str | int, ...]]] = [
    (5, ()),
    ({"message": "a"}, ("pattern",)),
    ({**PULL_REQUEST, "patern": "a"}, ("patern",)),
    ({**PULL_REQUEST, "pattern": ""}, ("pattern",)),
    ({**PULL_REQUEST, "once": True, "action": "warn"}, ("once",)),
    ({**PULL_REQUEST, "tests": {}}, ("tests",)),
    ({**PULL_REQUEST, "tests": [TEST, 5]}, ("tests", 1)),
    ({**PULL_REQUEST, "tests": [TEST, {**TEST, "expect": "deny"}]}, ("tests", 1, "expect")),
    ({**PULL_REQUEST, "tests": [{"input": CALL, "expect": "block"}]}, ("tests", 0, "desc")),
    (
        {**PULL_REQUEST, "tests": [{**TEST, "input": {"tool_input": {}}}]},
        ("tests", 0, "input", "tool_name"),
    ),
]


def test_path_locates_the_fault() -> None:
    for answers, path in PATHS:
        assert list_faults(ROOT, *next(iter(answers.items())))[0].path == path


def test_path_includes_the_route_name() -> None:
    for record, path in FAULTS:
        for name in NAMES:
            routes: dict[str, Any] = {other: PULL_REQUEST for other in NAMES if other != name}
            (fault, *_) = list_faults(ROOT, "routes", {**routes, name: record})
            assert fault.path == ("routes", name, *path)


@given(TEXT, st.sampled_from(FAULTS))
def test_any_name_is_a_key(name: str, fault: tuple[Any, tuple[Any, ...]]) -> None:
    record, path = fault
    assert list_faults(ROOT, "routes", {name: record})[0].path == ("routes", name, *path)


def test_every_fault_is_listed() -> None:
    faults = list_faults(ROOT, "databases", [{**GITLAB, "path": 5}, {**GITLAB, "keywords": [""]}])
    assert [(fault.path, fault.value) for fault in faults] == [
        (("databases", 0, "path"), 5),
        (("databases", 1, "keywords", 0), ""),
    ]


def test_message_may_omit_the_record() -> None:
    (fault,) = list_faults(ROOT, "routes", {"a: b": {**PULL_REQUEST, "once": 1}})
    assert format_fault(ROOT, fault) == "routes.a: b: once is 1: say true or false"
    assert format_fault(ROOT, fault, skip=2) == "once is 1: say true or false"


@pytest.mark.parametrize("field", ["pattern", "tool"])
def test_uncompilable_pattern_is_reported(field: str) -> None:
    (fault,) = list_uncompiled({"a": PULL_REQUEST, "b": {**PULL_REQUEST, field: "("}})
    assert fault.path == ("routes", "b", field)


def test_template_without_a_schema_is_supported(tmp_path: Path) -> None:
    (tmp_path / "copier.yml").write_text("project_name: {type: str}\n")
    assert list_faults(tmp_path, "databases", 5) == []
