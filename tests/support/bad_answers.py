"""Invalid answers to the template's questions, and the expected errors."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from .project import GITLAB, KUBERNETES

LONG = "k" * 1100
HUGE = "k" * 20_000
APART = "list each separately: --keyword rust --keyword cargo, or [rust, cargo]"
SITES = "list a site under domains (--domain), put an address in path (--path)"
TOOL = "as in mcp__leann__leann_search"
ADD = "add it, as in "
ALONE = "use scheme, host and port alone, e.g. http://127.0.0.1:7731"


@dataclass(frozen=True)
class BadAnswer:
    """An invalid answer, and the error line for it.

    Attributes:
        question: The name of the question.
        answer: The value, as parsed from YAML or a form.
        what: The start of the error line.
        way_out: Advice that occurs in the rest of the line.
        others: Answers to other questions.

    """

    question: str
    answer: Any
    what: str
    way_out: str = ""
    others: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.what


def read_answers(
    rows: Sequence[tuple[str, str, str]], others: dict[str, Any] | None = None
) -> list[BadAnswer]:
    bad = []
    for text, what, way_out in rows:
        [(question, answer)] = yaml.safe_load(text).items()
        bad.append(BadAnswer(question, answer, what, way_out, others or {}))
    return bad


def leave_out(field: str) -> dict[str, Any]:
    return {name: value for name, value in GITLAB.items() if name != field}


# An invalid field of the first database, in YAML; the start of the error message; its advice.
FIELDS_OF_DATABASES = [
    ("keywords:", "databases[0]: keywords is empty", "use a list"),
    ("keywords: []", "databases[0]: keywords is an empty list", "[gitlab, glab]"),
    ("keywords: gitlab", 'databases[0]: keywords is "gitlab"', "use a list"),
    ("keywords: {gitlab: gl}", "databases[0]: keywords is a mapping", "use a list"),
    ("keywords: ['']", "databases[0]: keywords[0] is empty", "enter some text"),
    ("keywords: [~]", "databases[0]: keywords[0] is empty", "enter some text"),
    ("keywords: [gl, on]", "databases[0]: keywords[1] is true", "in quotes"),
    ("keywords: [1.0]", "databases[0]: keywords[0] is 1.0", "in quotes"),
    ("keywords: [010]", "databases[0]: keywords[0] is 8", "in quotes"),
    ("keywords: [2024-01-01]", "databases[0]: keywords[0] is 2024-01-01 (a date)", "in quotes"),
    ("keywords: [[gl]]", "databases[0]: keywords[0] is a list, not text", "without brackets"),
    (
        r'keywords: ["a\ab"]',
        r'databases[0]: keywords[0] is "a\u0007b"',
        "which cannot be printed",
    ),
    (r'keywords: ["a\nb"]', r'databases[0]: keywords[0] is "a\nb"', "take out the line break"),
    (r'keywords: ["\u200c"]', r'databases[0]: keywords[0] is "\u200c"', "take out U+200C, which"),
    (
        'description: "👩\u200d💻"',
        r'databases[0]: description is "\ud83d\udc69\u200d\ud83d\udcbb"',
        "take out U+200D, which cannot be printed or seen",
    ),
    ("disabled: no", "databases[0]: disabled is false", "leave it out, say true"),
    ("disabled: 2026-12-31T23:59:00Z", "databases[0]: disabled is 2026", "put it in quotes"),
    ("keywords: [' ']", 'databases[0]: keywords[0] is " "', "enter some text"),
    (r'keywords: ["a\u202eb"]', r'databases[0]: keywords[0] is "a\u202eb"', "printed or seen"),
    (r'keywords: ["a\ufe0fb"]', r'databases[0]: keywords[0] is "a\ufe0fb"', "printed or seen"),
    (r'path: "a\u2028b"', r'databases[0]: path is "a\u2028b"', "printed or seen"),
    (r'description: "a\u3164b"', r'databases[0]: description is "a\u3164b"', "printed or seen"),
    (
        r'arguments: {"a\u034f": b}',
        r'databases[0]: arguments has a key that is "a\u034f"',
        "printed or seen",
    ),
    (r'arguments: {a: ["\u2800"]}', r'databases[0]: arguments.a[0] is "\u2800"', "printed or seen"),
    (r'"a\u202eb": c', r'databases[0] has the unknown field "a\u202eb"', "the fields are"),
    (r'keywords: ["\uD800"]', 'databases[0]: keywords[0] is "', "write the character itself"),
    ("keywords: [' gl']", 'databases[0]: keywords[0] is " gl"', "take out the spaces"),
    ("keywords: ['gl ']", 'databases[0]: keywords[0] is "gl "', "take out the spaces"),
    ("keywords: ['rust,cargo']", 'databases[0]: keywords[0] is "rust,cargo"', APART),
    (r'keywords: [ok, "a\uff0cb"]', 'databases[0]: keywords[1] is "a\uff0cb"', APART),
    ("unless: ['a,b']", 'databases[0]: unless[0] is "a,b"', "--with ios --with xcode"),
    ("with: ['a,b']", 'databases[0]: with[0] is "a,b"', "[ios, xcode]"),
    ("keywords: ['https://a.b/c']", 'databases[0]: keywords[0] is "https://a.b/c"', SITES),
    ("keywords: [HTTP://a]", 'databases[0]: keywords[0] is "HTTP://a"', SITES),
    ("mcp_tool_name: bad tool!", 'databases[0]: mcp_tool_name is "bad tool!"', TOOL),
    ("mcp_tool_name: mcp__.*", 'databases[0]: mcp_tool_name is "mcp__.*"', TOOL),
    (f"keywords: [{HUGE}]", "databases[0]: keywords[0] has 20000 characters", "at most 200"),
    (f"name: {HUGE}", "databases[0]: name has 20000 characters", "at most 200"),
    (f"path: {HUGE}", "databases[0]: path has 20000 characters", "at most 10000"),
    (f"mcp_tool_name: {HUGE}", "databases[0]: mcp_tool_name has 20000 characters", "at most 200"),
    ("path:", "databases[0]: path is empty", "enter some text"),
    ("path: ''", "databases[0]: path is empty", "enter some text"),
    (
        "path: docs/gitlab",
        'databases[0]: path is "docs/gitlab"',
        "write it from the root or from ~",
    ),
    ("path: ..", 'databases[0]: path is ".."', "write it from the root or from ~"),
    ("mcp_tool_name: 7", "databases[0]: mcp_tool_name is 7", "in quotes"),
    (
        r'description: "a\tb"',
        r'databases[0]: description is "a\tb"',
        "which cannot be printed",
    ),
    ("name: off", "databases[0]: name is false", "in quotes"),
    ("keyword: [gl]", 'databases[0] has the unknown field "keyword"', "did you mean keywords?"),
    ("{one: 1, two: 2}", 'databases[0] has the unknown field "one"', "the fields are keywords"),
    ("1: 2", "databases[0] has the unknown field 1", "the fields are keywords"),
    ("arguments:", "databases[0]: arguments is empty", "use a mapping"),
    ("arguments: [a]", "databases[0]: arguments is a list", "e.g. {index_name: gitlab}"),
    ("arguments: a", 'databases[0]: arguments is "a"', "use a mapping"),
    ("arguments: {at: 2024-01-01}", "databases[0]: arguments.at is 2024-01-01", "in quotes"),
    ("arguments: {k: .inf}", "databases[0]: arguments.k is inf", "plain digits"),
    ("arguments: {k: .nan}", "databases[0]: arguments.k is nan", "plain digits"),
    ("arguments: {k: 1.0e+30}", "databases[0]: arguments.k is 1e+30", "plain digits"),
    ("arguments: {k: [{l: 1.0e-7}]}", "databases[0]: arguments.k[0].l is 1e-07", "plain digits"),
    (
        r'arguments: {k: "a\nb"}',
        r'databases[0]: arguments.k is "a\nb"',
        "take out the line break",
    ),
    ("arguments: {k: !!binary aGk=}", "databases[0]: arguments.k is", "in quotes"),
    ("arguments: {on: 1}", "databases[0]: arguments has a key that is true", "in quotes"),
    (f"arguments: {{? {LONG} : 1}}", 'databases[0]: arguments has a key that is "kkk', "shorten"),
    ("unless: opengl", 'databases[0]: unless is "opengl"', "use a list"),
    ("unless: []", "databases[0]: unless is an empty list", "[karts, pokemon]"),
    ("unless: 5", "databases[0]: unless is 5", "use a list"),
    ("unless: [a, no]", "databases[0]: unless[1] is false", "in quotes"),
    ("unless: [GitLab]", 'databases[0]: unless[0] is "GitLab"', "take out one of the two"),
    ("unless: [x, ci]", 'databases[0]: unless[1] is "ci"', '"gitlab-ci" of keywords: take out'),
    ("{unless: [map], with: [a map]}", 'databases[0]: unless[0] is "map"', '"a map" of with'),
    ("{keywords: [配置gl], unless: [gl]}", 'databases[0]: unless[0] is "gl"', "of keywords"),
    ("{keywords: [go, 配置gl], unless: [go]}", 'databases[0]: unless[0] is "go"', "of keywords"),
    (
        "{keywords: [gl], ambiguous: true, unless: [gl]}",
        'databases[0]: unless[0] is "gl"',
        "of keywords",
    ),
    ("with:", "databases[0]: with is empty", "[golang, goroutine]"),
    ("disabled: 1", "databases[0]: disabled is 1", "say true, or until when"),
    ("disabled:", "databases[0]: disabled is empty", "say true, or until when"),
    ("disabled: ''", 'databases[0]: disabled is ""', "say true, or until when"),
    ("disabled: tomorrow", 'databases[0]: disabled is "tomorrow"', "say true, or until when"),
    (
        "disabled: 2026-11-22T23:00:00Z",
        "databases[0]: disabled is 2026-11-22 23:00:00+00:00 (a datetime)",
        "say true, or until when",
    ),
    (
        "disabled: '2026-13-22T23:00:00Z'",
        'databases[0]: disabled is "2026-13-22T23:00:00Z"',
        "say true, or until when",
    ),
    ("with: ['a ']", 'databases[0]: with[0] is "a "', "take out the spaces"),
    ("domains: docs.gitlab.com", 'databases[0]: domains is "docs.gitlab.com"', "use a list"),
    ("domains: ['https://a.b']", 'databases[0]: domains[0] is "https://a.b"', "in docs.gitlab.com"),
    ("domains: [a.b, a.b/ee]", 'databases[0]: domains[1] is "a.b/ee"', "in docs.gitlab.com"),
]

# An invalid answer to a whole question, in YAML; the start of the error message; its advice.
ANSWERS = [
    ("databases:", "databases is empty", "use a list of records"),
    ("databases: []", "databases is an empty list", "use a list of records"),
    ("databases: gitlab", 'databases is "gitlab"', "use a list of records"),
    ("databases: {keywords: [gl]}", "databases is a mapping", "use a list of records"),
    ("databases: [gitlab]", 'databases[0] is "gitlab"', "use a record"),
    ("databases: [[]]", "databases[0] is an empty list", "use a record"),
    ("databases: [{}]", "databases[0] has no keywords", "add it, as in [gitlab, glab]"),
    ("hooks: []", "hooks is an empty list", "choose from docsearch"),
    ("hooks: '[]'", "hooks is an empty list", "choose from docsearch"),
    ("retry_window: 0", "retry_window is 0", "from 1 to 86400"),
    ("retry_window: -5", "retry_window is -5", "from 1 to 86400"),
    ("retry_window: 86401", "retry_window is 86401", "from 1 to 86400"),
    ("project_name: ''", "project_name is empty", "enter some text"),
    ("project_name: My Hooks", 'project_name is "My Hooks"', "lowercase letters"),
    ("project_name: my--hooks", 'project_name is "my--hooks"', "single hyphens"),
    ("project_name: -my", 'project_name is "-my"', "e.g. my-hooks"),
    (r'project_name: "my\n"', r'project_name is "my\n"', "take out the line break"),
    (f"project_name: {HUGE}", "project_name has 20000 characters", "use at most 100"),
    (f"mcp_servers: {{? {HUGE} : 1}}", "mcp_servers has a name that has 20000", "at most 200"),
    ("mcp_servers:", "mcp_servers is empty", "use a mapping"),
    ("mcp_servers: leann", 'mcp_servers is "leann"', "use a mapping"),
    ("mcp_servers: [leann]", "mcp_servers is a list", "e.g. {leann: {command: leann_mcp}}"),
    ("mcp_servers: {a: {}}", "mcp_servers.a has no command", "add it, as in leann_mcp"),
    ("mcp_servers: {a: b}", 'mcp_servers.a is "b"', "e.g. {command: leann_mcp}"),
    ("mcp_servers: {a: {command: }}", "mcp_servers.a: command is empty", "enter some text"),
    ("mcp_servers: {a b: {command: c}}", 'mcp_servers has a name that is "a b"', "e.g. leann"),
    (
        r'mcp_servers: {"a\n": {command: c}}',
        r'mcp_servers has a name that is "a\n"',
        "the line break",
    ),
    (
        r'mcp_servers: {"a\u202e": {command: c}}',
        r'mcp_servers has a name that is "a\u202e"',
        "seen",
    ),
    ("mcp_servers: {1: {command: c}}", "mcp_servers has a name that is 1", "in quotes"),
    ("mcp_servers: {a: {command: c, url: d}}", 'mcp_servers.a has the unknown field "url"', "args"),
    ("mcp_servers: {a: {command: c, args: d}}", 'mcp_servers.a: args is "d"', "use a list"),
    ("mcp_servers: {a: {command: c, args: }}", "mcp_servers.a: args is empty", "use a list"),
    ("mcp_servers: {a: {command: c, args: [1]}}", "mcp_servers.a: args[0] is 1", "in quotes"),
    ("mcp_servers: {a: {command: c, args: ['']}}", "mcp_servers.a: args[0] is empty", "some text"),
    ("mcp_servers: {a: {command: c, env: [D]}}", "mcp_servers.a: env is a list", "use a mapping"),
    ("mcp_servers: {a: {command: c, env: {D: 1}}}", "mcp_servers.a: env.D is 1", "in quotes"),
    ("mcp_servers: {a: {command: c, env: {1: d}}}", "mcp_servers.a: env has a key that", "quotes"),
]

# The same data for the questions about lessons.
LESSON_ANSWERS = [
    ("lesson_server_url: ''", "lesson_server_url is empty", "enter some text"),
    ("lesson_server_url: 127.0.0.1:7731", 'lesson_server_url is "127.0.0.1:7731"', ALONE),
    ("lesson_server_url: ftp://a", 'lesson_server_url is "ftp://a"', ALONE),
    ("lesson_server_url: HTTP://a", 'lesson_server_url is "HTTP://a"', ALONE),
    ("lesson_server_url: http://a/", 'lesson_server_url is "http://a/"', ALONE),
    ("lesson_server_url: http://a/api", 'lesson_server_url is "http://a/api"', ALONE),
    ("lesson_server_url: http://a?b=c", 'lesson_server_url is "http://a?b=c"', ALONE),
    ("lesson_server_url: 'http://a#b'", 'lesson_server_url is "http://a#b"', ALONE),
    ("lesson_server_url: http://u:p@a", 'lesson_server_url is "http://u:p@a"', ALONE),
    ("lesson_server_url: 'http://a:'", 'lesson_server_url is "http://a:"', ALONE),
    ("lesson_server_url: http://a:b", 'lesson_server_url is "http://a:b"', ALONE),
    ("lesson_server_url: http://::1", 'lesson_server_url is "http://::1"', ALONE),
    ("lesson_server_url: http://a b", 'lesson_server_url is "http://a b"', ALONE),
    ("lesson_server_url: http://größe", 'lesson_server_url is "http://größe"', ALONE),
    ("lesson_server_url: 'http://a\"'", r'lesson_server_url is "http://a\""', ALONE),
    (r'lesson_server_url: "http://a\r\nX: y"', "lesson_server_url is", "which cannot be printed"),
    ("lesson_server_url: http://a:0", 'lesson_server_url is "http://a:0"', "from 1 to 65535"),
    ("lesson_server_url: http://a:65536", 'lesson_server_url is "http://a:65536"', "to 65535"),
    ("lesson_server_url: https://a", 'lesson_server_url is "https://a"', "the transport http"),
    ("top_k: 0", "top_k is 0", "from 1 to 20"),
    ("top_k: 21", "top_k is 21", "from 1 to 20"),
    ("context_budget: 199", "context_budget is 199", "from 200 to 9500"),
    ("context_budget: 9501", "context_budget is 9501", "from 200 to 9500"),
    ("min_score: -0.1", "min_score is -0.1", "from 0 to 1"),
    ("min_score: 1.5", "min_score is 1.5", "from 0 to 1"),
    ("lesson_time_limit: 0", "lesson_time_limit is 0", "from 1 to 30"),
    ("lesson_time_limit: 31", "lesson_time_limit is 31", "from 1 to 30"),
]

BAD_RECORDS = [
    BadAnswer("databases", [{**GITLAB, **yaml.safe_load(fields)}], what, way_out)
    for fields, what, way_out in FIELDS_OF_DATABASES
] + [
    BadAnswer("databases", [{**GITLAB, field: ["ab"] * entries}], what, f"at most {most}")
    for field, entries, what, most in [
        ("unless", 201, "databases[0]: unless has 201 entries", 200),
        ("with", 20_000, "databases[0]: with has 20000 entries", 2_000),
        ("keywords", 10_001, "databases[0]: keywords has 10001 entries", 10_000),
    ]
]
BAD_LISTS = [
    *(
        BadAnswer("databases", [GITLAB, leave_out(field)], f"databases[1] has no {field}: ", ADD)
        for field in ("keywords", "path", "mcp_tool_name", "description")
    ),
    BadAnswer(
        "databases",
        [{**GITLAB, "name": "docs"}, KUBERNETES, {**KUBERNETES, "name": "docs"}],
        'databases[2]: name is "docs"',
        "give each its own",
    ),
]
BAD_ANSWERS = read_answers(ANSWERS)
BAD_LESSON_ANSWERS = read_answers(LESSON_ANSWERS)
