"""A complaint's place in the answers is found, whatever the names in it are."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookwright.answers.validation import check_answers, locate
from hookwright.patterns.check import check_routes
from printable import TEXT
from project import GITLAB, PULL_REQUEST, ROOT

CALL = {"tool_name": "WebFetch", "tool_input": {"url": "https://a/b"}}
TEST: dict[str, Any] = {"desc": "a page", "input": CALL, "expect": "block"}
# Names that hold what separates the parts of a complaint, or that begin alike.
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
PLACES: list[tuple[dict[str, Any], tuple[Any, ...]]] = [
    ({"databases": []}, ("databases",)),
    ({"databases": [5]}, ("databases", 0)),
    ({"databases": [GITLAB, {**GITLAB, "path": ""}]}, ("databases", 1, "path")),
    ({"databases": [{"path": "a"}]}, ("databases", 0)),
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
    ({"mcp_servers": {"a": {}}}, ("mcp_servers", "a")),
    ({"mcp_servers": {"a b": {}}}, ("mcp_servers", "a b")),
    ({"mcp_servers": {"a": {"command": "b", "env": {"C": 1}}}}, ("mcp_servers", "a", "env", "C")),
    ({"routes": {"": PULL_REQUEST}}, ("routes", "")),
    ({"routes": {5: PULL_REQUEST}}, ("routes", 5)),
    ({"routes": {"a": {**PULL_REQUEST, "pattern": "("}}}, ("routes",)),
    ({"retry_window": 0}, ("retry_window",)),
    ({"project_name": "A"}, ("project_name",)),
]
FAULTS: list[tuple[dict[str, Any] | int, tuple[str | int, ...]]] = [
    (5, ()),
    ({"message": "a"}, ()),
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


@pytest.mark.parametrize(("answers", "place"), PLACES)
def test_a_place_is_found(answers: dict[str, Any], place: tuple[str | int, ...]) -> None:
    """The place of a complaint is that of what it complains of."""
    complaint = check_answers(ROOT, *next(iter(answers.items())))
    assert complaint
    assert locate(complaint, answers) == place


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("record", "place"), FAULTS)
def test_a_route_is_found_by_its_name(
    name: str, record: object, place: tuple[str | int, ...]
) -> None:
    """A name that holds what separates the parts of a complaint is told from those that don't."""
    routes: dict[str, Any] = {other: PULL_REQUEST for other in NAMES if other != name}
    routes[name] = record
    complaint = check_answers(ROOT, "routes", routes)
    assert locate(complaint, {"databases": [], "routes": routes}) == ("routes", name, *place)


@given(TEXT, st.lists(TEXT), st.sampled_from(FAULTS))
def test_any_name_is_found(
    name: str, others: list[str], fault: tuple[Any, tuple[str | int, ...]]
) -> None:
    """A route is found by any name that a route may have."""
    record, place = fault
    routes = {**dict.fromkeys(others, PULL_REQUEST), name: record}
    assert locate(check_answers(ROOT, "routes", routes), {"routes": routes}) == (
        "routes",
        name,
        *place,
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_flaw_of_a_pattern_is_found(name: str) -> None:
    """What hookwright.patterns.check says of a pattern is located as well."""
    routes = {each: {"pattern": "a" if each != name else "(a"} for each in NAMES}
    (flaw,) = check_routes(routes)
    assert locate(str(flaw), {"routes": routes}) == ("routes", name, "pattern")


@given(st.text(), st.dictionaries(st.text(), st.dictionaries(st.text(), st.text())))
def test_no_complaint_breaks_it(complaint: str, answers: dict[str, Any]) -> None:
    """What is no complaint has no place, and whatever has one is in the answers."""
    place = locate(complaint, answers)
    assert place == () or place[0] in answers
