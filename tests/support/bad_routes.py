"""Invalid routes and the expected errors, for the template's tests."""

from typing import Any

import yaml

from .bad_answers import HUGE, BadAnswer, read_answers
from .project import ROUTES

ROUTE = {"pattern": "^https://a/", "message": "Read /srv/a."}
CALL = {"tool_name": "WebFetch", "tool_input": {"url": "https://a/b"}}
TEST = {"desc": "a page", "input": CALL, "expect": "block"}

EMPTY = "enter some text"
LIST = "write one text, without brackets"
QUOTE = "put it in quotes"
PRINT = "which cannot be printed"
BREAK = "take out the line break"
SPACES = "take out the spaces"

# An invalid field of the route r, in YAML; the message after the record's name; its advice.
FIELDS_OF_ROUTES = [
    ("patern: a", ' has the unknown field "patern"', "the fields are pattern, message, tool"),
    ("on: a", " has the unknown field true", "the fields are pattern"),
    ("1: a", " has the unknown field 1", "the fields are pattern"),
    ("pattern:", ": pattern is empty", EMPTY),
    ("pattern: ''", ": pattern is empty", EMPTY),
    ("pattern: no", ": pattern is false", QUOTE),
    ("pattern: 1.0", ": pattern is 1.0", QUOTE),
    ("pattern: 010", ": pattern is 8", QUOTE),
    ("pattern: 2024-01-01", ": pattern is 2024-01-01 (a date)", QUOTE),
    ("pattern: [a]", ": pattern is a list", LIST),
    (r'pattern: "a\nb"', r': pattern is "a\nb"', BREAK),
    (r'pattern: "a\bb"', r': pattern is "a\bb"', PRINT),
    ("pattern: 'a '", ': pattern is "a "', SPACES),
    ("pattern: |\n  a\n", r': pattern is "a\n"', BREAK),
    ("message:", ": message is empty", EMPTY),
    ("message: ''", ": message is empty", EMPTY),
    (r'message: "\n \n"', ": message is empty", EMPTY),
    ("message: 7", ": message is 7", QUOTE),
    ("message: no", ": message is false, not text: ", QUOTE),
    ("message: {number}", ": message is a mapping", QUOTE),
    ("message: [a, b]", ": message is a list", LIST),
    (f"pattern: {'a' * 10_001}", ": pattern has 10001 characters", "split it"),
    (f"message: {HUGE}", ": message has 20000 characters", "use at most 10000"),
    (f"tool: {HUGE}", ": tool has 20000 characters", "use at most 200"),
    ("tool: bad tool!", ': tool is "bad tool!"', "as in Bash, or mcp__.*fetch.*"),
    (r'message: "a\u2029b"', r': message is "a\u2029b"', PRINT),
    (r'message: "a\U000E0100b"', r': message is "a\udb40\udd00b"', PRINT),
    (r'tool: "a\u202eb"', r': tool is "a\u202eb"', ""),
    (r'message: "a\tb"', r': message is "a\tb"', PRINT),
    (r'message: "a\r\nb"', r': message is "a\r b"', PRINT),
    ("{message: , action: allow}", ": message is empty", EMPTY),
    ("tool:", ": tool is empty", EMPTY),
    ("tool: on", ": tool is true", QUOTE),
    ("tool: [Bash, WebFetch]", ": tool is a list", LIST),
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
    ("tool: bash", ': tool is "bash"', "say Bash"),
    ("tool: mcp__x__y|webfetch", ': tool is "webfetch"', "say WebFetch"),
    ("message: Read {page}.", ': message has "{page}", which is not a group', "name a group"),
    ("{once: true, action: warn}", ": once is true, but action is warn", "only what is blocked"),
    ("{once: true, action: allow}", ": once is true, but action is allow", "only what is blocked"),
    ("raw:", ": raw is empty", "say true or false"),
    ("raw: 0", ": raw is 0", "say true or false"),
    ("raw: [true]", ": raw is a list", "say true or false"),
    ("requires:", ": requires is empty", EMPTY),
    ("requires: yes", ": requires is true", QUOTE),
    ("requires: [gh]", ": requires is a list", LIST),
    ("requires: gh pr", ': requires is "gh pr"', "as in gh"),
    ("requires: /usr/bin/gh", ': requires is "/usr/bin/gh"', "as in gh"),
    ("contains:", ": contains is empty", EMPTY),
    ("contains: 443", ": contains is 443", QUOTE),
    ("contains: ' a'", ': contains is " a"', SPACES),
    ("contains: 'größe'", ': contains is "größe"', "as in github.com/"),
    ("contains: 'a\"b'", r': contains is "a\"b"', "without quotes and backslashes"),
    (r"contains: 'a\b'", r': contains is "a\\b"', "without quotes and backslashes"),
    ("tests:", ": tests is empty", "use a list of records: [{desc: a pull request"),
    ("tests: a", ': tests is "a"', "use a list"),
    ("tests: {desc: a}", ": tests is a mapping", "use a list"),
    ("tests: [a]", ': tests[0] is "a"', "use a record, e.g. {desc: a pull request"),
    ("tests: [{desc: a, expect: block}]", ": tests[0] has no input", "tool_input: {url: "),
    ("tests: [{input: https://a/b}]", ": tests[0] has no desc", "add it, as in a pull request"),
    (
        "tests: [{desc: a, input: {tool_name: A}, expect: block}]",
        ": tests[0]: input has no tool_input",
        "add it, as in {url: ",
    ),
    (
        "tests: [{desc: a, input: {tool_name: A, tool_input: [a]}, expect: block}]",
        ": tests[0]: input.tool_input is a list",
        "use a mapping, e.g. {url: ",
    ),
]

# An invalid field of the first test of the route r, in YAML; the rest of the message; its advice.
FIELDS_OF_TESTS = [
    ("expected: block", ' has the unknown field "expected"', "desc, input, expect, contains"),
    ("on: block", " has the unknown field true", "desc, input, expect, contains"),
    ("desc:", ": desc is empty", EMPTY),
    ("desc: 2024-01-01", ": desc is 2024-01-01 (a date)", QUOTE),
    (r'desc: "a\nb"', r': desc is "a\nb"', BREAK),
    ("expect:", ": expect is empty", "choose from block, allow"),
    ("expect: warn", ': expect is "warn"', "choose from block, allow"),
    ("expect: on", ": expect is true", "choose from block, allow"),
    ("expect: [block]", ": expect is a list", "choose from block, allow"),
    ("contains:", ": contains is empty", EMPTY),
    ("contains: 42", ": contains is 42", QUOTE),
    (r'contains: "a\tb"', r': contains is "a\tb"', PRINT),
    ("input: {tool_input: {}}", ": input has no tool_name", "add it, as in {tool_name: "),
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

# An invalid answer to a whole question, in YAML; the start of the error message; its advice.
ANSWERS = [
    ("routes:", "routes is empty", "use a mapping of names to records"),
    ("routes: {}", "routes is an empty mapping", "use a mapping of names to records"),
    ("routes: []", "routes is an empty list", "use a mapping of names to records"),
    ("routes: [{pattern: a, message: b}]", "routes is a list", "use a mapping of names"),
    ("routes: github", 'routes is "github"', "e.g. {github-pr: {pattern: "),
    ("routes: 7", "routes is 7", "use a mapping of names to records"),
    ("routes: {on: {pattern: a}}", "routes has a name that is true", QUOTE),
    ("routes: {404: {pattern: a}}", "routes has a name that is 404", QUOTE),
    ("routes: {2024-01-01: {}}", "routes has a name that is 2024-01-01 (a date)", QUOTE),
    ("routes: {1.0: {}}", "routes has a name that is 1.0", QUOTE),
    ("routes: {~: {}}", "routes has a name that is empty", EMPTY),
    ("routes: {'': {}}", "routes has a name that is empty", EMPTY),
    ("routes: {' a': {}}", 'routes has a name that is " a"', SPACES),
    (r'routes: {"a\u202eb": {}}', r'routes has a name that is "a\u202eb"', PRINT),
    (r'routes: {"a\nb": {}}', r'routes has a name that is "a\nb"', BREAK),
    (f"routes: {{? {HUGE} : {{}}}}", "routes has a name that has 20000 characters", "at most 200"),
    ("routes: {r: }", "routes.r is empty", "use a record, e.g. {pattern: "),
    ("routes: {r: a}", 'routes.r is "a"', "use a record, e.g. {pattern: "),
    ("routes: {r: [a, b]}", "routes.r is a list", "use a record, e.g. {pattern: "),
    ("routes: {r: {}}", "routes.r has no pattern", "add it, as in "),
    ("routes: {r: {message: a}}", "routes.r has no pattern", "add it, as in "),
    ("routes: {r: {pattern: a}}", "routes.r has no message", "message: Use `gh pr view`"),
    ("routes: {r: {pattern: a, action: warn}}", "routes.r has no message", "add it, as in"),
    ("fatigue_limit: -1", "fatigue_limit is -1", "e.g. 3, or 0 for no limit"),
    ("fatigue_limit: '-3'", "fatigue_limit is -3", "e.g. 3, or 0 for no limit"),
]

# Patterns that do not compile, and re's error messages for them.
PATTERNS = [
    ("(", "missing ), unterminated subpattern at position 0"),
    ("a)", "unbalanced parenthesis at position 1"),
    ("[a", "unterminated character set at position 0"),
    ("a{3,2}", "min repeat greater than max repeat at position 2"),
    ("*a", "nothing to repeat at position 0"),
    ("(?<=a+)b", "look-behind requires fixed-width pattern"),
    (r"\q", r"bad escape \q at position 0"),
]


def refuse_route(fields: dict[str, Any], what: str, way_out: str = "") -> BadAnswer:
    routes = {"good": ROUTE, "r": {**ROUTE, **fields}}
    return BadAnswer("routes", routes, f"routes.r{what}", way_out)


BAD_ROUTES = [
    refuse_route(yaml.safe_load(fields), what, way_out)
    for fields, what, way_out in FIELDS_OF_ROUTES
]
BAD_TESTS = [
    *(
        refuse_route(
            {"tests": [TEST, {**TEST, **yaml.safe_load(fields)}]}, f": tests[1]{what}", way_out
        )
        for fields, what, way_out in FIELDS_OF_TESTS
    ),
    *(
        refuse_route(
            {"tests": [{name: value for name, value in TEST.items() if name != field}]},
            f": tests[0] has no {field}",
        )
        for field in ("desc", "expect")
    ),
]
BAD_TOOLS = [
    refuse_route({"tool": tool}, f': tool is "{tool}"')
    for tool in ("|", "Bash|", "|WebFetch", "Bash||WebFetch")
]
BAD_MAPPINGS = [
    *read_answers(ANSWERS, {"hooks": ["tool_routing"], "routes": ROUTES}),
    BadAnswer(  # contains several errors, but any one may be reported
        "routes",
        {"r": {**ROUTE, "pattern": "("}, "s": {**ROUTE, "action": "deny"}},
        'routes.s: action is "deny"',
        "choose",
    ),
]
BAD_PATTERNS = [
    *(
        BadAnswer("routes", {**ROUTES, "r": {**ROUTE, "pattern": pattern}}, complaint)
        for pattern, complaint in PATTERNS
    ),
    BadAnswer(  # an uncompilable pattern is an error for any tool
        "routes", {"r": {**ROUTE, "tool": ".*", "pattern": "("}}, PATTERNS[0][1]
    ),
]
UNCOMPILED_TOOLS = [
    BadAnswer("routes", {"r": {**ROUTE, "tool": tool}}, f"{complaint} at position ")
    for tool, complaint in (
        ("mcp__(a|b", "missing ), unterminated subpattern"),
        ("Bash)", "unbalanced parenthesis"),
        ("*", "nothing to repeat"),
        ("a|+", "nothing to repeat"),
    )
]
