"""The tool_routing hook's tables, and the client's view of its routes, match the answers."""

import json
import re
import string
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ..support.hypothesis_profiles import examples
from ..support.printable_values import ANY_TEXT, TEXT, VALUES, as_text
from ..support.project import GITLAB, KUBERNETES, ROUTES, render
from ..support.rendered_project import TEXTS, read_answers, read_hook, read_json, read_route_tables

ROUTE = {"pattern": "^https://a/", "message": "Read /srv/a."}
TABLE_FIELDS = ["tool", "field", "pattern", "action", "once", "raw", "requires", "message"]
MATCHERS = ["settings.json", "hooks/hooks.json"]


def compiles(pattern: str) -> bool:
    if re.search(r"[*+?}]\+|\(\?>", pattern):  # possessive quantifiers require Python 3.11
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
    except (re.error, OverflowError, Warning):
        return False
    return True


def build_texts(characters: str) -> st.SearchStrategy[str]:
    return st.text(characters, min_size=1, max_size=12).filter(str.strip).map(str.strip)


NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-"
PLAIN = "".join(map(chr, range(ord(" "), 127))).replace('"', "").replace("\\", "")
LINES = st.lists(ANY_TEXT, max_size=3).map("\n".join).filter(str.strip)
PLACEHOLDER = r"\{([^\W\d]\w*)\}"
TESTS = st.fixed_dictionaries(
    {
        "desc": TEXT,
        "input": st.fixed_dictionaries(
            {"tool_name": TEXT, "tool_input": st.dictionaries(TEXT, VALUES | LINES, max_size=2)}
        ),
        "expect": st.sampled_from(["block", "allow"]),
    },
    optional={"contains": LINES},
)
ROUTE_RECORDS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "pattern": TEXT.filter(compiles) | TEXT.map(re.escape),
        "message": LINES.filter(lambda text: not re.search(PLACEHOLDER, text)),
    },
    optional={
        "tool": st.sampled_from(["WebFetch", "Bash", "Bash|WebFetch", "mcp__.*fetch.*", ".*"]),
        "field": build_texts(NAME_CHARACTERS),
        "action": st.sampled_from(["block", "allow", "warn"]),
        "once": st.booleans(),
        "raw": st.booleans(),
        "requires": build_texts(NAME_CHARACTERS + "+"),
        "contains": build_texts(PLAIN),
        "tests": st.lists(TESTS, max_size=2),
    },
).filter(lambda route: not (route.get("once") and route.get("action", "block") != "block"))


def build_routes(routes: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    rows = [
        {"name": name, **{field: route[field] for field in TABLE_FIELDS if field in route}}
        for name, route in routes.items()
    ]
    rows = [{"tool": "WebFetch", **row} for row in rows]
    return sorted(rows, key=lambda row: row.get("action") != "allow")


def build_literals(rows: list[dict[str, Any]]) -> dict[str, list[str]]:
    literals: dict[str, list[str]] = {}
    for row in rows:
        shell = ["command"] if re.fullmatch(row["tool"], "Bash") else []
        fields = [row["field"]] if "field" in row else shell
        if "field" not in row and row["tool"] != "Bash":
            fields = [*shell, "url"]
        for field in fields if row.get("action") != "allow" else ():
            listed = literals.setdefault(field, [])
            if row["contains"] not in listed:
                listed.append(row["contains"])
    return literals


def assert_tables_match(project: Path, routes: dict[str, dict[str, Any]]) -> None:
    tables = read_route_tables(project)
    assert tables.literals == build_literals(tables.routes)
    for row in tables.routes:
        literal = row.pop("contains")
        assert literal == routes[row["name"]].get("contains", literal).lower()
        assert literal == literal.lower()
    assert as_text(tables.routes) == as_text(build_routes(routes))
    assert as_text(read_answers(project)["routes"]) == as_text(routes)


def read_matcher(project: Path, path: str) -> str:
    entries = read_json(project, path)["hooks"]["PreToolUse"]
    [matcher] = [entry["matcher"] for entry in entries if "/tool_routing.py" in json.dumps(entry)]
    assert isinstance(matcher, str)
    return matcher


@settings(max_examples=examples(25), phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(routes=st.dictionaries(TEXT, ROUTE_RECORDS, min_size=1, max_size=4))
def test_any_printable_text_survives(
    template: Path, tmp_path_factory: pytest.TempPathFactory, routes: dict[str, dict[str, Any]]
) -> None:
    project = render(template, tmp_path_factory.mktemp("any") / "p", routes=routes)
    assert_tables_match(project, routes)


def test_special_text_survives(template: Path, tmp_path: Path) -> None:
    routes = {
        text: {
            "pattern": re.escape(text),
            "message": f'"{text}"' if re.search(PLACEHOLDER, text) else f"{text}\n{text}",
            "tests": [
                {
                    "desc": text,
                    "input": {"tool_name": text, "tool_input": {text: [f"{text}\n{text}"]}},
                    "expect": "block",
                    "contains": text,
                }
            ],
        }
        for text in TEXTS
    }
    assert_tables_match(render(template, tmp_path / "rendered", routes=routes), routes)


def test_tables_match_the_code(routed: Path) -> None:
    hook = read_hook(routed, "tool_routing")
    assert hook["LITERALS"] == {"url": "\n.atlassian.net\ngithub.com/\nlinear.app/\n"}
    assert [row["contains"] for row in json.loads(hook["ROUTES"])] == [
        ".atlassian.net",
        "github.com/",
        "linear.app/",
    ]


def test_numbers_reach_the_hook(template: Path, tmp_path: Path) -> None:
    answers = {"retry_window": 60, "fatigue_limit": 3, "record_blocks": True}
    routes = {**ROUTES, "once": {**ROUTES["linear"], "once": True}}
    tables = read_route_tables(render(template, tmp_path / "rendered", routes=routes, **answers))
    assert tables.limits == {"RETRY_WINDOW": 60, "FATIGUE_LIMIT": 3, "RECORD_SIZE": 500_000}


@pytest.mark.parametrize(
    ("fields", "answers", "functions"),
    [
        ({"once": False, "raw": False}, {}, set()),
        ({"once": True}, {}, {"allow_repetition", "remember_denial"}),
        ({"tool": "B.*h"}, {}, {"strip_texts"}),
        ({"tool": "Bash", "raw": True}, {}, set()),
        ({}, {"fatigue_limit": 3}, {"limit_blocks", "append_line", "remember_denial"}),
        ({}, {"record_blocks": True}, {"record_block", "append_line", "remember_denial"}),
    ],
)
def test_hook_contains_only_the_needed_code(
    template: Path,
    tmp_path: Path,
    fields: dict[str, Any],
    answers: dict[str, Any],
    functions: set[str],
) -> None:
    routes = {"linear": {**ROUTES["linear"], **fields}}
    hook = read_hook(render(template, tmp_path / "p", routes=routes, **answers), "tool_routing")
    optional = ["strip_texts", "allow_repetition", "limit_blocks", "record_block", "append_line"]
    assert {name for name in [*optional, "remember_denial"] if name in hook} == functions


def test_tests_are_not_in_the_hook(template: Path, tmp_path: Path) -> None:
    call = {"tool_name": "WebFetch", "tool_input": {"url": "https://a/marked"}}
    route = {**ROUTE, "tests": [{"desc": "a page", "input": call, "expect": "block"}]}
    project = render(template, tmp_path / "rendered", routes={"r": route})
    assert "marked" not in (project / "hooks" / "tool_routing.py").read_text("utf-8")


def test_allowing_routes_come_first(template: Path, tmp_path: Path) -> None:
    actions = {"z": "block", "b": "allow", "y": "warn", "a": "allow", "x": "block"}
    routes = {name: {**ROUTE, "action": action} for name, action in actions.items()}
    tables = read_route_tables(render(template, tmp_path / "rendered", routes=routes))
    assert [row["name"] for row in tables.routes] == ["b", "a", "z", "y", "x"]


def test_project_may_have_only_allowing_routes(template: Path, tmp_path: Path) -> None:
    routes = {"a": {**ROUTE, "action": "allow"}}
    assert read_route_tables(render(template, tmp_path / "p", routes=routes)).literals == {}


def test_contains_is_lower_case(template: Path, tmp_path: Path) -> None:
    routes = {"a": {**ROUTE, "contains": "GitHub.com/ A"}, "b": {**ROUTE, "pattern": "HTTPS://B/"}}
    tables = read_route_tables(render(template, tmp_path / "p", routes=routes))
    assert tables.literals == {"url": ["github.com/ a", "https://b/"]}


# The fields of a route, and the fields of a call that it searches.
LOOKED_INTO: list[tuple[dict[str, str], list[str]]] = [
    ({}, ["url"]),
    ({"tool": "WebFetch"}, ["url"]),
    ({"tool": "Bash"}, ["command"]),
    ({"tool": "PowerShell"}, ["command"]),
    ({"tool": "Bash|WebFetch"}, ["command", "url"]),
    ({"tool": "WebFetch|Bash"}, ["command", "url"]),
    ({"tool": "mcp__.*fetch.*"}, ["url"]),
    ({"tool": ".*"}, ["command", "url"]),
    ({"tool": "B.*"}, ["command", "url"]),
    ({"tool": "(Bash|mcp__shell)"}, ["command", "url"]),
    ({"tool": "BashOutput"}, ["url"]),
    ({"tool": "Bash", "field": "description"}, ["description"]),
    ({"tool": ".*", "field": "file_path"}, ["file_path"]),
]


@pytest.fixture(scope="module")
def literals(template: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    routes = {
        f"r{number}": {**ROUTE, **fields, "pattern": f"^https://a/{number}/"}
        for number, (fields, _) in enumerate(LOOKED_INTO)
    }
    project = render(template, tmp_path_factory.mktemp("looked_into") / "p", routes=routes)
    return read_route_tables(project).literals


@pytest.mark.parametrize("number", range(len(LOOKED_INTO)))
def test_searched_field_is_rendered(literals: dict[str, list[str]], number: int) -> None:
    literal = f"https://a/{number}/"
    fields = [field for field, listed in literals.items() if literal in listed]
    assert sorted(fields) == LOOKED_INTO[number][1]


@pytest.mark.parametrize(
    ("tools", "matcher"),
    [
        (["Monitor", "Bash"], "Monitor|Bash|PowerShell"),
        ([".*", "Bash"], "^(?:.*|Bash)$"),
        (["Bash|WebFetch", None, "Read|Bash"], "Bash|WebFetch|Read|PowerShell|Monitor"),
        (["mcp__my-docs__fetch", None], "mcp__my-docs__fetch|WebFetch"),
        (
            [None, "mcp__.*fetch.*", "Bash"],
            "^(?:WebFetch|mcp__.*fetch.*|Bash|PowerShell|Monitor)$",
        ),
    ],
)
def test_matcher_covers_the_tools_of_the_routes(
    template: Path, tmp_path: Path, tools: list[str | None], matcher: str
) -> None:
    routes = {f"r{n}": {**ROUTE, **({"tool": t} if t else {})} for n, t in enumerate(tools)}
    project = render(template, tmp_path / "p", routes=routes)
    assert [read_matcher(project, path) for path in MATCHERS] == [matcher] * len(MATCHERS)


@pytest.mark.parametrize("path", MATCHERS)
def test_entries_of_the_other_hook_are_kept(project: Path, both: Path, path: str) -> None:
    alone, beside = (read_json(folder, path)["hooks"] for folder in (project, both))
    assert beside["PreToolUse"][: len(alone["PreToolUse"])] == alone["PreToolUse"]
    assert len(beside["PreToolUse"]) == len(alone["PreToolUse"]) + 1
    assert {**beside, "PreToolUse": None} == {**alone, "PreToolUse": None}


def test_other_hook_is_kept(project: Path, routed: Path, both: Path) -> None:
    for alone, hook in ((project, "docsearch"), (routed, "tool_routing")):
        script = f"hooks/{hook}.py"
        assert (both / script).read_bytes() == (alone / script).read_bytes()


@pytest.mark.parametrize(
    "changed",
    [
        {"routes": {**ROUTES, "linear": {**ROUTES["linear"], "message": "No."}}},
        {"routes": dict(reversed(ROUTES.items()))},
        {"retry_window": 60},
        {"hooks": ["tool_routing"]},
    ],
    ids=["message", "order", "retry_window", "hooks"],
)
def test_plugin_version_changes(
    template: Path, tmp_path: Path, both: Path, changed: dict[str, Any]
) -> None:
    answers = {"databases": [GITLAB, KUBERNETES], "routes": ROUTES, **changed}
    project = render(template, tmp_path / "p", **answers)
    path = ".claude-plugin/plugin.json"
    assert read_json(project, path)["version"] != read_json(both, path)["version"]
