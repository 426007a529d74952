"""Good answers and defaults are taken; each bad answer is refused in one line that says why."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from project import GITLAB, KUBERNETES, ROOT, render
from refusal import assert_refused
from rendered import build_tables, read_answers, read_tables
from repository import build_repository, run_copier

LEANN = {"leann": {"command": "leann_mcp"}}
LONG = "k" * 1100

# What is wrong with the first database, in YAML; how the message begins; its way out.
BAD_FIELDS = [
    ("keywords:", "databases[0]: keywords is empty", "give a list"),
    ("keywords: []", "databases[0]: keywords is an empty list", "e.g. [gitlab, gitlab-ci]"),
    ("keywords: gitlab", 'databases[0]: keywords is "gitlab"', "give a list"),
    ("keywords: {gitlab: gl}", "databases[0]: keywords is a mapping", "give a list"),
    ("keywords: ['']", "databases[0]: keywords[0] is empty", "give it some text"),
    ("keywords: [~]", "databases[0]: keywords[0] is empty", "give it some text"),
    ("keywords: [gl, on]", "databases[0]: keywords[1] is true", "in quotes"),
    ("keywords: [1.0]", "databases[0]: keywords[0] is 1.0", "in quotes"),
    ("keywords: [010]", "databases[0]: keywords[0] is 8", "in quotes"),
    ("keywords: [2024-01-01]", "databases[0]: keywords[0] is 2024-01-01 (a date)", "in quotes"),
    ("keywords: [[gl]]", "databases[0]: keywords[0] is a list, not text", ""),
    (
        r'keywords: ["a\ab"]',
        r'databases[0]: keywords[0] is "a\u0007b"',
        "take out what cannot be printed",
    ),
    (
        r'keywords: ["a\nb"]',
        r'databases[0]: keywords[0] is "a\nb"',
        "take out what cannot be printed",
    ),
    (r'keywords: ["\uD800"]', 'databases[0]: keywords[0] is "', "take out what cannot be printed"),
    ("keywords: [' gl']", 'databases[0]: keywords[0] is " gl"', "take out the spaces"),
    ("keywords: ['gl ']", 'databases[0]: keywords[0] is "gl "', "take out the spaces"),
    ("path:", "databases[0]: path is empty", "give it some text"),
    ("path: ''", "databases[0]: path is empty", "give it some text"),
    ("mcp_tool_name: 7", "databases[0]: mcp_tool_name is 7", "in quotes"),
    (
        r'description: "a\tb"',
        r'databases[0]: description is "a\tb"',
        "take out what cannot be printed",
    ),
    ("name: off", "databases[0]: name is false", "in quotes"),
    ("keyword: [gl]", 'databases[0] has the unknown field "keyword"', "the fields are keywords"),
    ("{one: 1, two: 2}", 'databases[0] has the unknown field "one"', "the fields are keywords"),
    ("1: 2", "databases[0] has the unknown field 1", "the fields are keywords"),
    ("arguments:", "databases[0]: arguments is empty", "give a mapping"),
    ("arguments: [a]", "databases[0]: arguments is a list", "e.g. {index_name: gitlab}"),
    ("arguments: a", 'databases[0]: arguments is "a"', "give a mapping"),
    ("arguments: {at: 2024-01-01}", "databases[0]: arguments.at is 2024-01-01", "in quotes"),
    ("arguments: {k: .inf}", "databases[0]: arguments.k is inf", "plain digits"),
    ("arguments: {k: .nan}", "databases[0]: arguments.k is nan", "plain digits"),
    ("arguments: {k: 1.0e+30}", "databases[0]: arguments.k is 1e+30", "plain digits"),
    ("arguments: {k: [{l: 1.0e-7}]}", "databases[0]: arguments.k[0].l is 1e-07", "plain digits"),
    (
        r'arguments: {k: "a\nb"}',
        r'databases[0]: arguments.k is "a\nb"',
        "take out what cannot be printed",
    ),
    ("arguments: {k: !!binary aGk=}", "databases[0]: arguments.k is", "in quotes"),
    ("arguments: {on: 1}", "databases[0]: arguments has a key that is true", "in quotes"),
    (f"arguments: {{? {LONG} : 1}}", 'databases[0]: arguments has a key that is "kkk', "shorten"),
    ("unless: opengl", 'databases[0]: unless is "opengl"', "give a list"),
    ("unless: []", "databases[0]: unless is an empty list", "e.g. [karts, pokemon]"),
    ("unless: 5", "databases[0]: unless is 5", "give a list"),
    ("unless: [a, no]", "databases[0]: unless[1] is false", "in quotes"),
    ("unless: [GitLab]", 'databases[0]: unless[0] is "GitLab"', "take out one of the two"),
    ("unless: [x, ci]", 'databases[0]: unless[1] is "ci"', '"gitlab-ci" of keywords: take out'),
    ("{unless: [map], with: [a map]}", 'databases[0]: unless[0] is "map"', '"a map" of with'),
    ("{keywords: [配置gl], unless: [gl]}", 'databases[0]: unless[0] is "gl"', "of keywords"),
    ("with:", "databases[0]: with is empty", "e.g. [golang, goroutine]"),
    ("with: ['a ']", 'databases[0]: with[0] is "a "', "take out the spaces"),
    ("domains: docs.gitlab.com", 'databases[0]: domains is "docs.gitlab.com"', "give a list"),
    ("domains: ['https://a.b']", 'databases[0]: domains[0] is "https://a.b"', "[docs.gitlab.com]"),
    ("domains: [a.b, a.b/ee]", 'databases[0]: domains[1] is "a.b/ee"', "[docs.gitlab.com]"),
]

# All that was answered to a question, in YAML; how the message begins; its way out.
BAD_ANSWERS = [
    ("databases:", "databases is empty", "give a list of records"),
    ("databases: []", "databases is an empty list", "give a list of records"),
    ("databases: gitlab", 'databases is "gitlab"', "give a list of records"),
    ("databases: {keywords: [gl]}", "databases is a mapping", "give a list of records"),
    ("databases: [gitlab]", 'databases[0] is "gitlab"', "give a record"),
    ("databases: [[]]", "databases[0] is an empty list", "give a record"),
    ("databases: [{}]", "databases[0] has no keywords", "add it, as in {keywords: [gitlab]"),
    ("hooks: []", "hooks is empty", "choose from docsearch"),
    ("hooks: '[]'", "hooks is empty", "choose from docsearch"),
    ("retry_window: 0", "retry_window is 0", "from 1 to 86400"),
    ("retry_window: -5", "retry_window is -5", "from 1 to 86400"),
    ("retry_window: 86401", "retry_window is 86401", "from 1 to 86400"),
    ("project_name: ''", 'project_name is ""', "e.g. my-hooks"),
    ("project_name: My Hooks", 'project_name is "My Hooks"', "lowercase letters"),
    ("project_name: my--hooks", 'project_name is "my--hooks"', "single hyphens"),
    ("project_name: -my", 'project_name is "-my"', "e.g. my-hooks"),
    (r'project_name: "my\n"', r'project_name is "my\n"', "e.g. my-hooks"),
    ("mcp_servers:", "mcp_servers is empty", "give a mapping"),
    ("mcp_servers: leann", 'mcp_servers is "leann"', "give a mapping"),
    ("mcp_servers: [leann]", "mcp_servers is a list", "e.g. {leann: {command: leann_mcp}}"),
    ("mcp_servers: {a: {}}", "mcp_servers.a is an empty mapping", "at least its command"),
    ("mcp_servers: {a: b}", 'mcp_servers.a is "b"', "e.g. {command: leann_mcp}"),
    ("mcp_servers: {a: {command: }}", "mcp_servers.a: command is empty", "give it some text"),
    ("mcp_servers: {a b: {command: c}}", 'mcp_servers has the name "a b"', "e.g. leann"),
    (r'mcp_servers: {"a\n": {command: c}}', r'mcp_servers has the name "a\n"', "e.g. leann"),
    ("mcp_servers: {1: {command: c}}", "mcp_servers has the name 1", "e.g. leann"),
    ("mcp_servers: {a: {command: c, url: d}}", 'mcp_servers.a has the unknown field "url"', "args"),
    ("mcp_servers: {a: {command: c, args: d}}", 'mcp_servers.a: args is "d"', "give a list"),
    ("mcp_servers: {a: {command: c, args: }}", "mcp_servers.a: args is empty", "give a list"),
    ("mcp_servers: {a: {command: c, args: [1]}}", "mcp_servers.a: args[0] is 1", "in quotes"),
    ("mcp_servers: {a: {command: c, args: ['']}}", "mcp_servers.a: args[0] is empty", "some text"),
    ("mcp_servers: {a: {command: c, env: [D]}}", "mcp_servers.a: env is a list", "give a mapping"),
    ("mcp_servers: {a: {command: c, env: {D: 1}}}", "mcp_servers.a: env.D is 1", "in quotes"),
    ("mcp_servers: {a: {command: c, env: {1: d}}}", "mcp_servers.a: env has a key that", "quotes"),
]


@pytest.mark.parametrize(("fields", "what", "way_out"), BAD_FIELDS)
def test_bad_record_is_refused(
    template: Path, tmp_path: Path, fields: str, what: str, way_out: str
) -> None:
    """A bad record is refused in a line with the record, the field, the value and the way out."""
    answers = {"databases": [{**GITLAB, **yaml.safe_load(fields)}]}
    assert_refused(template, tmp_path / "bad", answers, what, way_out)


@pytest.mark.parametrize(("answers", "what", "way_out"), BAD_ANSWERS)
def test_bad_answer_is_refused(
    template: Path, tmp_path: Path, answers: str, what: str, way_out: str
) -> None:
    """A bad answer is refused in a line with the question, the value and the way out."""
    assert_refused(template, tmp_path / "bad", yaml.safe_load(answers), what, way_out)


@pytest.mark.parametrize("field", ["keywords", "path", "mcp_tool_name", "description"])
def test_missing_field_is_refused(template: Path, tmp_path: Path, field: str) -> None:
    """A record without a required field is refused, with the place of the record in the list."""
    record = {name: value for name, value in GITLAB.items() if name != field}
    what, way_out = f"databases[1] has no {field}: ", "add it, as in {"
    assert_refused(template, tmp_path / "bad", {"databases": [GITLAB, record]}, what, way_out)


def test_duplicate_name_is_refused(template: Path, tmp_path: Path) -> None:
    """A name that an earlier record has is refused."""
    answers = {
        "databases": [{**GITLAB, "name": "docs"}, KUBERNETES, {**KUBERNETES, "name": "docs"}]
    }
    what = 'databases[2]: name is "docs"'
    assert_refused(template, tmp_path / "bad", answers, what, "give each its own")


def test_unknown_hook_is_refused(template: Path, tmp_path: Path) -> None:
    """A hook that does not exist is refused by Copier itself, with those that do."""
    with pytest.raises(ValueError, match=r"^Invalid choice for 'hooks': 'docserch' is not in .*$"):
        render(template, tmp_path / "bad", databases=[GITLAB], hooks=["docsearch", "docserch"])
    assert not (tmp_path / "bad").exists()


def test_databases_are_required(template: Path, tmp_path: Path) -> None:
    """Databases have no default: without an answer nothing is rendered."""
    with pytest.raises(ValueError, match=r'^Question "databases" is required$'):
        render(template, tmp_path / "bad")
    assert not (tmp_path / "bad").exists()


def test_command_line_ends_in_the_complaint(template: Path, tmp_path: Path) -> None:
    """The last line that `copier copy` prints is the complaint, and it fails."""
    data = tmp_path / "answers.yml"
    data.write_text(yaml.safe_dump({"databases": [{**GITLAB, "keywords": [True]}]}))
    done = run_copier("copy", "--defaults", "--data-file", data, template, tmp_path / "bad")
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1] == (
        "ValueError: Validation error for question 'databases': "
        "databases[0]: keywords[0] is true, not text: put it in quotes"
    )
    assert not (tmp_path / "bad").exists()


def test_defaults(project: Path) -> None:
    """Only the databases need an answer; the defaults of the others are stored with them."""
    stored = {name: answer for name, answer in read_answers(project).items() if name[0] != "_"}
    assert stored == {
        "project_name": "my-hooks",
        "hooks": ["docsearch"],
        "databases": [GITLAB, KUBERNETES],
        "retry_window": 300,
        "record_blocks": False,
        "mcp_servers": LEANN,
    }


@pytest.mark.parametrize(
    ("tools", "servers"),
    [
        (["mcp__leann__leann_search"], LEANN),
        (["mcp__other__search", "mcp__leann__search"], LEANN),
        (["mcp__other__search"], {}),
        (["mcp__leann_docs__search"], {}),
        (["mcp__my_mcp__leann__search"], {}),
        (["leann"], {}),
    ],
)
def test_default_server(
    template: Path, tmp_path: Path, tools: list[str], servers: dict[str, Any]
) -> None:
    """The leann server is the default where a database is searched by a tool of it; else none."""
    databases = [{**GITLAB, "mcp_tool_name": tool} for tool in tools]
    rendered = render(template, tmp_path / "rendered", databases=databases)
    assert read_answers(rendered)["mcp_servers"] == servers
    assert (rendered / "mcp.json").exists() == bool(servers)


@pytest.mark.parametrize(
    ("question", "answer", "stored"),
    [
        ("hooks", "[docsearch]", ["docsearch"]),
        ("retry_window", "1", 1),
        ("retry_window", "86400", 86400),
        ("project_name", "my-2nd-hooks4", "my-2nd-hooks4"),
        ("databases", json.dumps([GITLAB]), [GITLAB]),
        ("mcp_servers", "{a: {command: b, args: [c], env: {D: e}}}", None),
        ("mcp_servers", "{a: {command: b, args: [], env: {}}}", None),
    ],
)
def test_text_of_an_option(
    template: Path, tmp_path: Path, question: str, answer: str, stored: object
) -> None:
    """An answer may be text in YAML, as the option -d of the command line gives it."""
    answers = {"databases": [KUBERNETES], question: answer}
    rendered = render(template, tmp_path / "rendered", **answers)
    assert read_answers(rendered)[question] == (stored or yaml.safe_load(answer))


def test_example_works_as_it_is(tmp_path: Path) -> None:
    """The example configuration renders from a repository, as it is and without --trust."""
    repository = build_repository(tmp_path / "template")
    example = ROOT / "examples" / "docsearch-config.json"
    destination = tmp_path / "my-hooks"
    done = run_copier("copy", "--defaults", "--data-file", example, repository, destination)
    assert done.returncode == 0, done.stderr
    databases = json.loads(example.read_text("utf-8"))["databases"]
    assert read_tables(destination) == build_tables(databases)
    assert read_answers(destination)["_commit"] == "1.0.0"
