"""A route that never decides, as an earlier one matches whatever it matches, is found."""

from typing import Any

import pytest

from hookwright.discovery.ready_routes import find_ready_routes
from hookwright.patterns.precedence import find_deciders, word_way_out

GITHUB = r"github[.]com/"
PULL = r"^https?://github[.]com/(?P<repo>[^/]+/[^/]+)/pull/(?P<number>\d+)"


def build(pattern: str, **fields: Any) -> dict[str, Any]:
    return {"pattern": pattern, "message": "M.", **fields}


def decides(earlier: dict[str, Any], later: dict[str, Any]) -> bool:
    return find_deciders({"a": earlier, "b": later}) == {"b": "a"}


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (GITHUB, PULL),
        (PULL, PULL),
        ("^https?://", PULL),
        ("GitHub", PULL),
        (r"^https?://(?:www\.)?github\.com/", PULL),
        (r"github\.com/[^/]+/[^/]+/(?:pull|issues)/", PULL),
        (r"/v\d+/", r"^https://a\.b/v2/x"),
        (r"/v\d+/", r"^https://a\.b/v\d/(?:x|y|z)"),
        ("a.*b", "a[0-9]{3,200}b"),
        (".", "x"),
        (r"docs[.]x[.]com/(?!old)", r"docs[.]x[.]com/(?!old)"),
    ],
)
def test_broader_pattern_decides(earlier: str, later: str) -> None:
    assert decides(build(earlier), build(later))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (PULL, GITHUB),
        (r"github\.com/[^/]+/[^/]+/pull/", r"github\.com/[^/]+/[^/]+/(?:pull|issues)/"),
        (r"^https://gist\.github\.com", r"gist\.github\.com"),
        (r"x\.com/[a-m]+$", r"x\.com/\w+$"),
        (r"x\.com/a+$", r"x\.com/\w+$"),
        (r"x\.com/\w{1,12}$", r"x\.com/\w+$"),
        (r"x\.com/(?!topics)[^/]+", r"x\.com/[^/]+/[^/]+"),
        (r"x\.com/\d", r"x\.com/.*"),
        (r"\bfoo\b", "foo"),
        ("foo(?=/)", "foo"),
        (
            r"^https?://wiki\.acme\.com/|^https://wiki\.acme\.com:\d+/",
            r"^https?://wiki\.acme\.com(?::\d+)?/",
        ),
        (
            r"(?:docs\.google\.com/document|sheets\.google\.com/spreadsheets)/d/",
            r"(?:docs|sheets)\.google\.com/(?:document|spreadsheets)/d/",
        ),
        (
            r"^https://x\.com/z$|^https://www\.x\.com/api/v\d/z$",
            r"^https://(?:www\.)?x\.com(?:/api)?(?:/v\d)?/z$",
        ),
        ("(?:a/[xyz]|b/[xyz]|c/[xy])", "[abc]/[xyz]"),
        (r"(\w)/\1", r"\w/\w"),
        ("^.{1,200}$", "^.+$"),
        (r"^https://a/\w{1,99}$", r"\w+$"),
        (r"docs\.python\.org", r"docs\.rust-lang\.org"),
        ("(", "x"),
        ("x", "("),
    ],
)
def test_other_pattern_does_not(earlier: str, later: str) -> None:
    assert not decides(build(earlier), build(later))


@pytest.mark.parametrize(
    ("earlier", "later", "found"),
    [
        ({"tool": "Bash"}, {}, False),
        ({"tool": "WebFetch|mcp__a__fetch"}, {}, True),
        ({}, {"tool": "WebFetch|mcp__a__fetch"}, False),
        ({"tool": "mcp__.*"}, {"tool": "mcp__a__fetch"}, True),
        ({"tool": "mcp__.*"}, {"tool": "mcp__a__.*"}, False),
        ({"tool": ".*"}, {"tool": "mcp__a__.*"}, True),
        ({"field": "prompt"}, {}, False),
        ({"field": "url"}, {}, True),
        ({"requires": "gh"}, {}, False),
        ({}, {"requires": "gh"}, True),
        ({"requires": "gh"}, {"requires": "gh"}, True),
        ({"contains": "example"}, {}, False),
        ({}, {"contains": "example"}, True),
        ({"tool": "Bash", "raw": True}, {"tool": "Bash"}, False),
        ({"action": "warn"}, {}, True),
        ({"action": "allow"}, {}, False),
        ({}, {"action": "allow"}, False),
    ],
)
def test_what_else_a_route_says_counts(
    earlier: dict[str, Any],
    later: dict[str, Any],
    found: bool,  # noqa: FBT001 - a parameter
) -> None:
    assert decides(build(GITHUB, **earlier), build(PULL, **later)) == found


@pytest.mark.parametrize("tool", ["Bash", "Bash|Shell", "Ba.*"])
def test_shell_pattern_is_case_sensitive(tool: str) -> None:
    assert not decides(build("GIT push", tool=tool), build("git push", tool=tool))
    assert decides(build("git", tool=tool), build("git push", tool=tool))


@pytest.mark.parametrize("tool", ["Bash", "Bash|Shell", "Ba.*", ".*"])
def test_quoted_part_of_a_command_counts(tool: str) -> None:
    assert not decides(build("rm -rf", tool=tool), build("rm -rf", tool=tool, raw=True))


def test_line_break_beside_what_is_contained_counts() -> None:
    assert not decides(build("a.*b|b.*a"), build("b", contains="a"))
    assert decides(build("b", contains="A"), build("b", contains="xa"))
    assert decides(build("b", contains="a"), build("ab"))


def test_way_out_mends_it() -> None:
    """One of two routes that match the same calls has to go; else the later one goes first."""
    routes = {
        "a": build("x.com"),
        "b": build("x.com"),
        "c": build("(?:x.com)"),
        "d e": build("x.co"),
    }
    remove = "remove one of them, or change its pattern"
    assert word_way_out(routes, "b", "a") == word_way_out(routes, "c", "a") == remove
    assert word_way_out(routes, "a", "d e") == "run hookwright move a --before 'd e'"


def test_own_tests_are_examples() -> None:
    call = {"tool_name": "WebFetch", "tool_input": {"url": "https://x.com/zebra"}}
    test = {"desc": "a page", "input": call, "expect": "block"}
    later = build(r"x\.com/(?!a)[a-z]+$", tests=[test])
    assert decides(build(r"x\.com/"), later)


def test_first_of_several_is_named() -> None:
    routes = {"a": build("x"), "b": build("xy"), "c": build("xyz"), "d": build("z")}
    assert find_deciders(routes) == {"b": "a", "c": "a"}


def test_ready_routes_all_decide() -> None:
    routes = {name: one for ready in find_ready_routes() for name, one in ready.routes.items()}
    assert find_deciders(routes) == {}


def test_many_routes_are_compared_fast() -> None:
    routes = {f"r{n}": build(rf"^https?://site{n}[.]example[.]com/(?P<x>\w+)") for n in range(300)}
    assert find_deciders(routes) == {}
