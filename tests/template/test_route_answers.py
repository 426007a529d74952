"""Good routes are taken; each bad one is refused in one line that says why."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from project import GITLAB, ROUTES, render
from refusal import assert_refused
from rendered import read_answers, read_json, read_route_tables
from repository import run_copier

ROUTE = {"pattern": "^https://a/", "message": "Read /srv/a."}
CALL = {"tool_name": "WebFetch", "tool_input": {"url": "https://a/b"}}
TEST = {"desc": "a page", "input": CALL, "expect": "block"}

EMPTY = "give it some text"
QUOTE = "put it in quotes"
PRINT = "take out what cannot be printed"
SPACES = "take out the spaces"
INPUT = "tests[0] has no input with a tool_input"

# What is wrong with the route r, in YAML; how the message goes on after the record; its way out.
BAD_FIELDS = [
    ("patern: a", ' has the unknown field "patern"', "the fields are pattern, message, tool"),
    ("on: a", " has the unknown field true", "the fields are pattern"),
    ("1: a", " has the unknown field 1", "the fields are pattern"),
    ("pattern:", ": pattern is empty", EMPTY),
    ("pattern: ''", ": pattern is empty", EMPTY),
    ("pattern: no", ": pattern is false", QUOTE),
    ("pattern: 1.0", ": pattern is 1.0", QUOTE),
    ("pattern: 010", ": pattern is 8", QUOTE),
    ("pattern: 2024-01-01", ": pattern is 2024-01-01 (a date)", QUOTE),
    ("pattern: [a]", ": pattern is a list", QUOTE),
    (r'pattern: "a\nb"', r': pattern is "a\nb"', PRINT),
    (r'pattern: "a\bb"', r': pattern is "a\bb"', PRINT),
    ("pattern: 'a '", ': pattern is "a "', SPACES),
    ("pattern: |\n  a\n", r': pattern is "a\n"', PRINT),
    ("message:", ": message is empty", EMPTY),
    ("message: ''", ": message is empty", EMPTY),
    (r'message: "\n \n"', ": message is empty", EMPTY),
    ("message: 7", ": message is 7", QUOTE),
    ("message: {number}", ": message is a mapping", QUOTE),
    ("message: [a, b]", ": message is a list", QUOTE),
    (r'message: "a\tb"', r': message is "a\tb"', PRINT),
    (r'message: "a\r\nb"', r': message is "a\r b"', PRINT),
    ("{message: , action: allow}", ": message is empty", EMPTY),
    ("tool:", ": tool is empty", EMPTY),
    ("tool: on", ": tool is true", QUOTE),
    ("tool: [Bash, WebFetch]", ": tool is a list", QUOTE),
    ("tool: Web Fetch", ': tool is "Web Fetch"', "Bash, or mcp__.*fetch.*"),
    ("tool: '[A-Z].*'", ': tool is "[A-Z].*"', "Bash, or mcp__.*fetch.*"),
    ("tool: '^Bash$'", ': tool is "^Bash$"', "Bash, or mcp__.*fetch.*"),
    (r"tool: mcp__\w+", r': tool is "mcp__\\w+"', "Bash, or mcp__.*fetch.*"),
    ("tool: (?i)bash", ': tool is "(?i)bash"', "as simple as mcp__.*fetch.*"),
    ("tool: (?P<a>Bash)", ': tool is "(?P<a>Bash)"', "Bash, or mcp__.*fetch.*"),
    ("tool: mcp__.*+", ': tool is "mcp__.*+"', "the client reads it as JavaScript"),
    ("tool: mcp__.*?fetch", ': tool is "mcp__.*?fetch"', "the client reads it as JavaScript"),
    ("field:", ": field is empty", EMPTY),
    ("field: off", ": field is false", QUOTE),
    ("field: the url", ': field is "the url"', "as in url"),
    ("field: 'a\"b'", r': field is "a\"b"', "as in url"),
    ("action:", ": action is empty", "choose from block, allow, warn"),
    ("action: deny", ': action is "deny"', "choose from block, allow, warn"),
    ("action: Block", ': action is "Block"', "choose from block, allow, warn"),
    ("action: yes", ": action is true", "choose from block, allow, warn"),
    ("action: [block]", ": action is a list", "choose from block, allow, warn"),
    ("once:", ": once is empty", "say true or false"),
    ("once: 1", ": once is 1", "say true or false"),
    ("once: 'true'", ': once is "true"', "say true or false"),
    ("{once: true, action: warn}", ": once is true, but action is warn", "only what is blocked"),
    ("{once: true, action: allow}", ": once is true, but action is allow", "only what is blocked"),
    ("raw:", ": raw is empty", "say true or false"),
    ("raw: 0", ": raw is 0", "say true or false"),
    ("raw: [true]", ": raw is a list", "say true or false"),
    ("requires:", ": requires is empty", EMPTY),
    ("requires: yes", ": requires is true", QUOTE),
    ("requires: [gh]", ": requires is a list", QUOTE),
    ("requires: gh pr", ': requires is "gh pr"', "as in gh"),
    ("requires: /usr/bin/gh", ': requires is "/usr/bin/gh"', "as in gh"),
    ("contains:", ": contains is empty", EMPTY),
    ("contains: 443", ": contains is 443", QUOTE),
    ("contains: ' a'", ': contains is " a"', SPACES),
    ("contains: 'größe'", ': contains is "größe"', "as in github.com/"),
    ("contains: 'a\"b'", r': contains is "a\"b"', "take out the quotes and backslashes"),
    (r"contains: 'a\b'", r': contains is "a\\b"', "take out the quotes and backslashes"),
    ("tests:", ": tests is empty", "give a list, e.g. [{desc: a pull request"),
    ("tests: a", ': tests is "a"', "give a list"),
    ("tests: {desc: a}", ": tests is a mapping", "give a list"),
    ("tests: [a]", f": {INPUT}", "write it as in {desc: a pull request"),
    ("tests: [{desc: a, expect: block}]", f": {INPUT}", "tool_input: {url: "),
    ("tests: [{input: https://a/b}]", f": {INPUT}", "tool_input: {url: "),
    ("tests: [{input: {tool_name: WebFetch}}]", f": {INPUT}", "tool_input: {url: "),
    ("tests: [{input: {tool_input: [a]}}]", f": {INPUT}", "tool_input: {url: "),
]

# What is wrong with the first test of the route r, in YAML; how the message goes on; its way out.
BAD_TESTS = [
    ("expected: block", ' has the unknown field "expected"', "desc, input, expect, contains"),
    ("on: block", " has the unknown field true", "desc, input, expect, contains"),
    ("desc:", ": desc is empty", EMPTY),
    ("desc: 2024-01-01", ": desc is 2024-01-01 (a date)", QUOTE),
    (r'desc: "a\nb"', r': desc is "a\nb"', PRINT),
    ("expect:", ": expect is empty", "choose from block, allow"),
    ("expect: warn", ': expect is "warn"', "choose from block, allow"),
    ("expect: on", ": expect is true", "choose from block, allow"),
    ("expect: [block]", ": expect is a list", "choose from block, allow"),
    ("contains:", ": contains is empty", EMPTY),
    ("contains: 42", ": contains is 42", QUOTE),
    (r'contains: "a\tb"', r': contains is "a\tb"', PRINT),
    ("input: {tool_input: {}}", ": input.tool_name is empty", EMPTY),
    ("input: {tool_name: no, tool_input: {}}", ": input.tool_name is false", QUOTE),
    (
        "input: {tool_name: A, tool_input: {url: 2024-01-01}}",
        ": input.tool_input.url is 2024-01-01",
        QUOTE,
    ),
    (
        "input: {tool_name: A, tool_input: {on: a}}",
        ": input.tool_input has a key that is true",
        QUOTE,
    ),
    (
        r'input: {tool_name: A, tool_input: {url: "a\ab"}}',
        r': input.tool_input.url is "a\u0007b"',
        PRINT,
    ),
    (
        "input: {tool_name: A, tool_input: {urls: [{n: .inf}]}}",
        ": input.tool_input.urls[0].n is inf",
        "plain digits",
    ),
    (
        f"input: {{tool_name: A, tool_input: {{? {'k' * 501} : a}}}}",
        ': input.tool_input has a key that is "kkk',
        "shorten",
    ),
]

# All that was answered to a question, in YAML; how the message begins; its way out.
BAD_ANSWERS = [
    ("routes:", "routes is empty", "give a mapping of names to records"),
    ("routes: {}", "routes is an empty mapping", "give a mapping of names to records"),
    ("routes: []", "routes is an empty list", "give a mapping of names to records"),
    ("routes: [{pattern: a, message: b}]", "routes is a list", "give a mapping of names"),
    ("routes: github", 'routes is "github"', "e.g. {github-pr: {pattern: "),
    ("routes: 7", "routes is 7", "give a mapping of names to records"),
    ("routes: {on: {pattern: a}}", "routes has a name that is true", QUOTE),
    ("routes: {404: {pattern: a}}", "routes has a name that is 404", QUOTE),
    ("routes: {2024-01-01: {}}", "routes has a name that is 2024-01-01 (a date)", QUOTE),
    ("routes: {1.0: {}}", "routes has a name that is 1.0", QUOTE),
    ("routes: {~: {}}", "routes has a name that is empty", EMPTY),
    ("routes: {'': {}}", "routes has a name that is empty", EMPTY),
    ("routes: {' a': {}}", 'routes has a name that is " a"', SPACES),
    (r'routes: {"a\nb": {}}', r'routes has a name that is "a\nb"', PRINT),
    ("routes: {r: }", "routes.r is empty", "give a record, e.g. {pattern: "),
    ("routes: {r: a}", 'routes.r is "a"', "give a record, e.g. {pattern: "),
    ("routes: {r: [a, b]}", "routes.r is a list", "give a record, e.g. {pattern: "),
    ("routes: {r: {}}", "routes.r has no pattern", "add it, as in {pattern: "),
    ("routes: {r: {message: a}}", "routes.r has no pattern", "add it, as in {pattern: "),
    ("routes: {r: {pattern: a}}", "routes.r has no message", "message: Use `gh pr view`"),
    ("routes: {r: {pattern: a, action: warn}}", "routes.r has no message", "add it, as in"),
    ("fatigue_limit: -1", "fatigue_limit is -1", "e.g. 3, or 0 for no limit"),
    ("fatigue_limit: '-3'", "fatigue_limit is -3", "e.g. 3, or 0 for no limit"),
]

# Patterns that do not compile, and what re says of each.
BAD_PATTERNS = [
    ("(", "missing ), unterminated subpattern at position 0"),
    ("a)", "unbalanced parenthesis at position 1"),
    ("[a", "unterminated character set at position 0"),
    ("a{3,2}", "min repeat greater than max repeat at position 2"),
    ("*a", "nothing to repeat at position 0"),
    ("(?<=a+)b", "look-behind requires fixed-width pattern"),
    (r"\q", r"bad escape \q at position 0"),
]


@pytest.mark.parametrize(("fields", "what", "way_out"), BAD_FIELDS)
def test_bad_route_is_refused(
    template: Path, tmp_path: Path, fields: str, what: str, way_out: str
) -> None:
    """A bad route is refused in a line with its name, the field, the value and the way out."""
    answers = {"routes": {"good": ROUTE, "r": {**ROUTE, **yaml.safe_load(fields)}}}
    assert_refused(template, tmp_path / "bad", answers, f"routes.r{what}", way_out)


@pytest.mark.parametrize(("fields", "what", "way_out"), BAD_TESTS)
def test_bad_test_is_refused(
    template: Path, tmp_path: Path, fields: str, what: str, way_out: str
) -> None:
    """A bad test of a route is refused with its place in the list of that route."""
    route = {**ROUTE, "tests": [TEST, {**TEST, **yaml.safe_load(fields)}]}
    what = f"routes.r: tests[1]{what}"
    assert_refused(template, tmp_path / "bad", {"routes": {"r": route}}, what, way_out)


@pytest.mark.parametrize("field", ["desc", "expect"])
def test_test_without_a_field_is_refused(template: Path, tmp_path: Path, field: str) -> None:
    """A test that does not say what it is or what it expects is refused."""
    test = {name: value for name, value in TEST.items() if name != field}
    answers = {"routes": {"r": {**ROUTE, "tests": [test]}}}
    assert_refused(template, tmp_path / "bad", answers, f"routes.r: tests[0]: {field} is empty", "")


@pytest.mark.parametrize(("answers", "what", "way_out"), BAD_ANSWERS)
def test_bad_answer_is_refused(
    template: Path, tmp_path: Path, answers: str, what: str, way_out: str
) -> None:
    """A bad answer is refused in a line with the question, the value and the way out."""
    good = {"hooks": ["tool_routing"], "routes": ROUTES}
    answered = yaml.safe_load(answers)
    bad = {**answered, **{name: value for name, value in good.items() if name not in answered}}
    assert_refused(template, tmp_path / "bad", bad, what, way_out)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("fatigue_limit", "three"),
        ("fatigue_limit", None),
        ("record_blocks", None),
    ],
)
def test_answer_of_another_type_is_refused(
    template: Path, tmp_path: Path, question: str, answer: object
) -> None:
    """What is no number, or no yes or no, is refused by Copier itself, and nothing is rendered."""
    with pytest.raises((ValueError, TypeError)):
        render(template, tmp_path / "bad", routes=ROUTES, **{question: answer})
    assert not (tmp_path / "bad").exists()


@pytest.mark.parametrize(("pattern", "complaint"), BAD_PATTERNS)
def test_pattern_that_does_not_compile_is_refused(
    template: Path, tmp_path: Path, pattern: str, complaint: str
) -> None:
    """A pattern that does not compile is refused with what Python says of it."""
    with pytest.raises(ValueError, match="routes") as refusal:
        render(template, tmp_path / "bad", routes={**ROUTES, "r": {**ROUTE, "pattern": pattern}})
    assert str(refusal.value) == f"Validation error for question 'routes': {complaint}"
    assert not (tmp_path / "bad").exists()


def test_pattern_is_compiled_whatever_the_tool(template: Path, tmp_path: Path) -> None:
    """A pattern that does not compile is refused for a tool that is a regular expression, too."""
    with pytest.raises(ValueError, match="unterminated subpattern"):
        render(template, tmp_path / "bad", routes={"r": {**ROUTE, "tool": ".*", "pattern": "("}})


@pytest.mark.parametrize("tool", ["mcp__(a|b", "Bash)", "*", "a|+"])
def test_tool_that_does_not_compile_is_refused(template: Path, tmp_path: Path, tool: str) -> None:
    """A tool that is no regular expression is refused with what Python says of it."""
    with pytest.raises(ValueError, match=r"^Validation error for question 'routes': .* position"):
        render(template, tmp_path / "bad", routes={"r": {**ROUTE, "tool": tool}})
    assert not (tmp_path / "bad").exists()


@pytest.mark.parametrize("tool", ["|", "Bash|", "|WebFetch", "Bash||WebFetch"])
def test_tool_without_a_name_is_refused(template: Path, tmp_path: Path, tool: str) -> None:
    """A list of tools with an empty name is refused: an empty matcher matches every tool."""
    answers = {"routes": {"r": {**ROUTE, "tool": tool}}}
    assert_refused(template, tmp_path / "bad", answers, f'routes.r: tool is "{tool}"', "")


def test_unknown_action_is_named_before_a_bad_pattern(template: Path, tmp_path: Path) -> None:
    """Where a route has several faults, the line is of one that can be named."""
    answers = {"routes": {"r": {**ROUTE, "pattern": "("}, "s": {**ROUTE, "action": "deny"}}}
    assert_refused(template, tmp_path / "bad", answers, 'routes.s: action is "deny"', "choose")


def test_command_line_ends_in_the_complaint(template: Path, tmp_path: Path) -> None:
    """The last line that `copier copy` prints is the complaint, and it fails."""
    data = tmp_path / "routes.yml"
    data.write_text("routes: {r: {pattern: a, message: no}}\n")
    done = run_copier("copy", "--defaults", "--data-file", data, template, tmp_path / "bad")
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1] == (
        "ValueError: Validation error for question 'routes': "
        "routes.r: message is false, not text: put it in quotes"
    )
    assert not (tmp_path / "bad").exists()


@pytest.mark.parametrize(
    "route",
    [
        "{pattern: a, action: allow}",
        "{pattern: a, action: allow, message: b}",
        "{pattern: a, message: b, action: warn, once: false}",
        "{pattern: a, message: b, action: block, once: true, raw: true, requires: g++}",
        "{pattern: a, message: b, tool: 'Bash|mcp__(a|b)__.*fetch.*', field: file_path}",
        '{pattern: a, message: b, contains: "Host: {a} it\'s"}',
        "{pattern: a, message: b, tests: []}",
        r'{pattern: a, message: "b\n\nc\n  d"}',
        "pattern: a\nmessage: |\n  b {number}\n\n  c\n",
        "pattern: a\nmessage: |+\n  b\n\n",
        "pattern: >-\n  a\nmessage: >\n  b\n  c\n",
    ],
)
def test_good_route_is_taken(template: Path, tmp_path: Path, route: str) -> None:
    """A good route is stored as it is."""
    routes = {"r": yaml.safe_load(route)}
    rendered = render(template, tmp_path / "rendered", routes=routes)
    assert read_answers(rendered)["routes"] == routes


def test_tests_may_have_commands_of_several_lines(template: Path, tmp_path: Path) -> None:
    """The input of a test may hold line ends, and what it contains as well."""
    call = {"tool_name": "Bash", "tool_input": {"command": "curl \\\n  https://a/b\n", "n": [1]}}
    test = {"desc": "a line that goes on", "input": call, "expect": "block", "contains": "a\nb"}
    routes = {"r": {**ROUTE, "tool": "Bash", "tests": [TEST, test]}}
    rendered = render(template, tmp_path / "rendered", routes=routes)
    assert read_answers(rendered)["routes"] == routes


def test_routes_of_the_design_work_as_they_are(template: Path, tmp_path: Path) -> None:
    """A tool-routes.json is a data file as it stands, and renders tool_routing alone."""
    data = tmp_path / "tool-routes.json"
    data.write_text(json.dumps({"routes": ROUTES}, indent=2))
    done = run_copier("copy", "--defaults", "--data-file", data, template, tmp_path / "routed")
    assert done.returncode == 0, done.stderr
    answers = read_answers(tmp_path / "routed")
    assert answers["hooks"] == ["tool_routing"]
    assert answers["routes"] == ROUTES
    assert [row["name"] for row in read_route_tables(tmp_path / "routed").routes] == [*ROUTES]


@pytest.mark.parametrize(
    ("data", "hooks"),
    [
        ({"databases": [GITLAB]}, ["docsearch"]),
        ({"routes": ROUTES}, ["tool_routing"]),
        ({"routes": ROUTES, "databases": [GITLAB]}, ["docsearch", "tool_routing"]),
    ],
    ids=["databases", "routes", "both"],
)
def test_data_says_which_hooks(
    template: Path, tmp_path: Path, data: dict[str, Any], hooks: list[str]
) -> None:
    """The hooks are those that the data is for, unless they are named."""
    rendered = render(template, tmp_path / "rendered", **data)
    assert read_answers(rendered)["hooks"] == hooks
    entries = read_json(rendered, "settings.json")["hooks"]["PreToolUse"]
    assert len(entries) == len(hooks)


def test_defaults(routed: Path) -> None:
    """Only the routes need an answer; the defaults of the others are stored with them."""
    stored = {name: answer for name, answer in read_answers(routed).items() if name[0] != "_"}
    assert stored == {
        "project_name": "my-hooks",
        "hooks": ["tool_routing"],
        "routes": ROUTES,
        "retry_window": 300,
        "fatigue_limit": 0,
        "record_blocks": False,
    }


@pytest.mark.parametrize(
    ("question", "answer", "stored"),
    [
        ("routes", json.dumps({"r": ROUTE}), {"r": ROUTE}),
        ("fatigue_limit", "3", 3),
        ("fatigue_limit", "0", 0),
        ("record_blocks", "true", True),
        ("record_blocks", "no", False),
    ],
)
def test_text_of_an_option(
    template: Path, tmp_path: Path, question: str, answer: str, stored: object
) -> None:
    """An answer may be text in YAML, as the option -d of the command line gives it."""
    answers = {"routes": ROUTES, question: answer}
    rendered = render(template, tmp_path / "rendered", **answers)
    assert read_answers(rendered)[question] == stored
