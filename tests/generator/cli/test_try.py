"""`hookwright try` shows what matches a call or a prompt, and the exact text for the agent."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from hookwright_documentation.index import build_index

from ...documentation.index.passages import COOKING, SITE
from ...support.command_line import CommandLine, build_environment
from ...support.installer import pretend_installed, snapshot
from ...support.project import (
    GITHUB_API,
    GITLAB,
    PULL_REQUEST,
    URL,
    bash_event,
    call_event,
    fetch_event,
    render,
    run_hook,
    search_event,
)

RUST = {
    "name": "rust",
    "keywords": ["rust", "cargo"],
    "with": ["cargo", "borrow"],
    "unless": ["car"],
    "path": "/docs/rust",
    "mcp_tool_name": "mcp__leann__leann_search",
    "description": "the Rust documentation",
}
MANY = {
    "ours": {"pattern": "//github[.]com/ours/", "action": "allow"},
    "missing": {"pattern": "github", "message": "Never", "requires": "hookwright-missing"},
    "once": {**PULL_REQUEST, "once": True},
    "docs": {
        "pattern": "docs[.]example",
        "message": "Known: see the\n[bold]manual",
        "action": "warn",
    },
    "api": GITHUB_API,
    "asked": {"tool": "WebSearch", "field": "query", "pattern": "jira", "message": "Ask Jira"},
    "fetched": {"tool": "mcp__.*fetch", "pattern": "intranet", "message": "Use the proxy"},
}
QUERY = "GitLab CI on k8s"
GO = {"keywords": ["go"], "with": ["golang"], "domains": ["go.dev"]}
OTHER_TRACE = "def decide(raw, trace):\n    trace.append('gitlab')\n"


@pytest.fixture(scope="module")
def large_project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many") / "my-hooks"
    return render(template, folder, databases=[GITLAB, RUST], routes=MANY, fatigue_limit=2)


def read(line: CommandLine, *words: str | Path) -> Any:
    return json.loads(line.output("try", "--json", *words))


@pytest.mark.parametrize(
    ("words", "event"),
    [
        (["how to cache in gitlab"], search_event("how to cache in gitlab")),
        (["größe 如何配置gitlab"], search_event("größe 如何配置gitlab")),
        ([URL], fetch_event(URL)),
        (
            ["--bash", "curl https://api.github.com/users"],
            bash_event("curl https://api.github.com/users"),
        ),
        (
            ["--tool", "mcp__x__fetch", "--input", '{"url": "http://intranet/"}'],
            call_event("mcp__x__fetch", {"url": "http://intranet/"}),
        ),
    ],
)
def test_agent_output_is_exact(
    hookwright_line: CommandLine,
    large_project: Path,
    config: Path,
    words: list[str],
    event: dict[str, object],
) -> None:
    hook = "docsearch" if event["tool_name"] == "WebSearch" else "tool_routing"
    output = run_hook(large_project / "hooks" / f"{hook}.py", event, config).output
    reason = output.get("permissionDecisionReason", "")
    context = output.get("additionalContext", "")
    hooks = read(hookwright_line, *words, "--project", large_project)["hooks"]
    (decided,) = (decision for decision in hooks if decision["hook"] == hook)
    assert (decided["reason"], decided["context"]) == (reason, context)
    assert decided["characters"] == len(reason) + len(context)
    shown = hookwright_line.output("try", *words, "--project", large_project)
    for text in filter(None, (reason, context)):
        assert f"\n\n{text}\n" in shown


def test_words_need_no_quotes(hookwright_line: CommandLine, both: Path) -> None:
    row = read(hookwright_line, "how", "do", "I", "cache in gitlab", "--project", both)
    assert row["input"] == {"query": "how do I cache in gitlab"}


def test_each_database_is_shown_with_its_keyword_and_position(
    hookwright_line: CommandLine, both: Path
) -> None:
    (decision,) = read(hookwright_line, "k8s straße GitLab", "--project", both)["hooks"]
    assert decision["databases"] == [
        {"database": "gitlab", "keyword": "gitlab", "span": [11, 17], "points": {}, "sum": None},
        {"database": "kubernetes", "keyword": "k8s", "span": [0, 3], "points": {}, "sum": None},
    ]
    output = hookwright_line.output("try", "k8s straße GitLab", "--project", both)
    assert "  gitlab: keyword 'gitlab' at character 12\n" in output
    assert "  kubernetes: keyword 'k8s' at character 1\n" in output


def test_position_is_that_of_the_whole_keyword(hookwright_line: CommandLine, both: Path) -> None:
    (decision,) = read(hookwright_line, "glue gl", "--project", both)["hooks"]
    assert decision["databases"][0]["span"] == [5, 7]


def test_search_restricted_to_a_database_is_explained(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    database = {**GITLAB, "keywords": ["gitlab-ci"], "domains": ["docs.gitlab.com"]}
    project = render(template, tmp_path / "my-hooks", databases=[database])
    query = "caching as on docs.gitlab.com"
    tool_input = json.dumps({"query": query, "allowed_domains": ["docs.gitlab.com"]})
    output = hookwright_line.output(
        "try", "--tool", "WebSearch", "--input", tool_input, "--project", project
    )
    assert "gitlab-ci: 'docs.gitlab.com' in the allowed domains" in output


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("rust on a car", "'rust' does not name the Rust documentation: the query has 'car'"),
        ("rust", "'rust' does not name the Rust documentation: the query has none of"),
    ],
)
def test_ineffective_keyword_is_explained(
    hookwright_line: CommandLine, large_project: Path, query: str, why: str
) -> None:
    output = hookwright_line.output("try", query, "--project", large_project)
    assert f"  not rust: {why}" in output
    assert "Allowed by docsearch" in output


def test_routes_are_shown_in_evaluation_order(
    hookwright_line: CommandLine, large_project: Path
) -> None:
    hooks = read(hookwright_line, URL, "--project", large_project)["hooks"]
    assert [(route["route"], route["outcome"], route["on"]) for route in hooks[0]["routes"]] == [
        ("ours", "does not match", ""),
        ("missing", "requires", "hookwright-missing"),
        ("once", "matches", "github.com/octo/hello/pull/42"),
    ]
    output = hookwright_line.output("try", URL, "--project", large_project)
    assert "1. ours: does not match\n" in output
    assert "2. missing: matches, but is skipped: the command hook" in output
    assert "3. once: matches 'github.com/octo/hello/pull/42' and decides: it denies\n" in output
    assert "4 more routes are not tried\n" in output


def test_allowing_route_is_shown(hookwright_line: CommandLine, large_project: Path) -> None:
    output = hookwright_line.output("try", "https://github.com/ours/x", "--project", large_project)
    assert "Allowed by tool_routing:\n" in output
    assert "1. ours: matches '//github.com/ours/' and decides: it lets it through\n" in output
    assert "The agent gets" not in output


def test_all_routes_are_tried_without_a_match(
    hookwright_line: CommandLine, large_project: Path
) -> None:
    (decision,) = read(hookwright_line, "--bash", "ls", "--project", large_project)["hooks"]
    assert [route["outcome"] for route in decision["routes"]] == [
        *["other tool"] * 4,
        "does not match",
        *["other tool"] * 2,
    ]


def test_both_hooks_are_shown_for_a_search(
    hookwright_line: CommandLine, large_project: Path
) -> None:
    hooks = read(hookwright_line, "jira in gitlab", "--project", large_project)["hooks"]
    assert [(hook["hook"], hook["does"]) for hook in hooks] == [
        ("docsearch", "deny"),
        ("tool_routing", "deny"),
    ]


@pytest.mark.parametrize(
    ("fixture", "words", "hook"),
    [
        ("routed", ["gitlab"], "no hook runs: my-hooks does not have docsearch; add"),
        ("project", [URL], "no hook runs: my-hooks does not have tool_routing; add"),
        ("routed", ["--tool", "Read", "--input", "{}"], "no route of my-hooks is for Read"),
        ("project", ["--prompt", "a long prompt"], "my-hooks does not have lesson_search"),
    ],
)
def test_missing_hook_is_reported(
    hookwright_line: CommandLine,
    request: pytest.FixtureRequest,
    fixture: str,
    words: list[str],
    hook: str,
) -> None:
    output = hookwright_line.output("try", *words, "--project", request.getfixturevalue(fixture))
    assert hook in output


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ("--bash", "npm", "install"),
            "put several words in quotes, as in --bash 'npm install'",
        ),
        (("--expect", "x", "y"), "'--expect': 'x' is not one of 'deny', 'allow'."),
    ],
)
def test_misused_options_are_reported(
    hookwright_line: CommandLine, words: tuple[str, ...], problem: str
) -> None:
    assert problem in hookwright_line.error("try", *words, code=2)


def test_trial_is_not_remembered(
    hookwright_line: CommandLine, large_project: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(config))
    before, home = snapshot(large_project), snapshot(Path.home())
    for words in (["gitlab"], [URL]) * 2:
        hooks = read(hookwright_line, *words, "--project", large_project)["hooks"]
        assert "deny" in [hook["does"] for hook in hooks]
    assert snapshot(large_project) == before
    assert snapshot(config) == {}
    assert snapshot(Path.home()) == home


def test_query_is_shown_without_being_interpreted(hookwright_line: CommandLine, both: Path) -> None:
    output = hookwright_line.output(
        "try", "[red]gitlab[/red] \x1b[31m \u202e \udc80", "--project", both
    )
    assert "WebSearch: [red]gitlab[/red] \\u001b[31m \\u202e \\udc80\n" in output


def test_keyword_is_underlined_at_a_terminal(both: Path) -> None:
    command = ["-m", "hookwright", "try", "\x1b[2J GitLab [b]k8s", "--project", str(both)]
    environment = {**build_environment(TERM="xterm"), "COLUMNS": "200"}
    child = pexpect.spawn(sys.executable, command, env=environment, encoding="utf-8")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert "\\u001b[2J \x1b[4mGitLab\x1b[0m [b]\x1b[4mk8s\x1b[0m" in str(child.before)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "nothing to try: use one of a query, a URL, --bash"),
        (["gitlab", "--bash", "ls"], "QUERY and --bash cannot be combined"),
        (["--tool", "Bash"], "--tool and --input must be used together"),
        (["gitlab", "--input", "{}"], "--tool and --input must be used together"),
        ([" "], "QUERY is empty"),
        (["--prompt", ""], "--prompt is empty"),
        (["gitlab", "--samples", "-1"], "--samples"),
        (["gitlab", "--expect", "warn"], "is not one of 'deny', 'allow'"),
        (["--prompt", "hello", "--expect", "deny"], "cannot be combined: prompts are never denied"),
        (["--tool", "WebSearch", "--input", '{"q": "x"}'], 'of WebSearch needs a text "query"'),
        (["--tool", "WebSearch", "--input", '{"query": 5}'], 'of WebSearch needs a text "query"'),
    ],
)
def test_misuse_is_reported_in_one_line(
    hookwright_line: CommandLine, both: Path, words: list[str], complaint: str
) -> None:
    line = hookwright_line.error("try", *words, "--project", both, code=2)
    assert complaint in line


@pytest.mark.parametrize(
    "given",
    ["", "[]", "{", "[" * 100_000, '{"command": "", "a":' + '{"a":' * 989 + "1" + "}" * 990],
)
def test_invalid_input_is_reported_in_one_line(
    hookwright_line: CommandLine, both: Path, given: str
) -> None:
    completed = hookwright_line.run("try", "--tool", "Bash", "--input", given, "--project", both)
    if completed.code:
        assert completed.code == 2
        assert completed.errors == (
            'hookwright: --input: expected a JSON object such as {"query": "gitlab ci"}\n'
        )
    else:
        assert given.startswith('{"command":'), "which some Pythons can read"


@pytest.fixture
def copied(both: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(both, tmp_path / "copied"))


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("hooks/docsearch.py", None, "is missing: restore it from git"),
        ("hooks/docsearch.py", "import nothing_of_this_name\n", "fails (ModuleNotFoundError: "),
        ("hooks/docsearch.py", "def broken(:\n", "fails (SyntaxError: "),
        ("hooks/docsearch.py", "print('hello')\n", "docsearch answers 'hello\\n', which the"),
        ("hooks/docsearch.py", "", "docsearch.py is from an older version: run hookwright update"),
        ("hooks/docsearch.py", OTHER_TRACE, "docsearch.py is from another version: run hookwright"),
        ("hooks/hooks.json", None, "hooks.json (No such file or directory): restore it from git"),
        ("hooks/hooks.json", "{}", "differs from what was rendered: restore it from git"),
        ("hooks/hooks.json", "[" * 100_000, "differs from what was rendered: restore it from git"),
    ],
)
def test_broken_project_is_reported_in_one_line(
    hookwright_line: CommandLine,
    copied: Path,
    name: str,
    text: str | None,
    complaint: str,
) -> None:
    (copied / name).unlink()
    if text is not None:
        (copied / name).write_text(text)
    pretend_installed(copied)
    assert complaint in hookwright_line.error("try", "gitlab", "--project", copied)


def test_slow_hook_is_reported_in_one_line(hookwright_line: CommandLine, copied: Path) -> None:
    settings = copied / "hooks" / "hooks.json"
    settings.write_text(settings.read_text().replace('"timeout": 5', '"timeout": 0.2'))
    (copied / "hooks" / "docsearch.py").write_text("import time\ntime.sleep(60)\n")
    pretend_installed(copied)
    line = hookwright_line.error("try", "gitlab", "--project", copied)
    assert "takes more than 0.2 seconds, so the client goes on without it" in line


def test_domain_takes_precedence_over_a_veto(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    folder = render(template, tmp_path / "my-hooks", databases=[{**GITLAB, **GO}])
    tool_input = json.dumps({"query": "where to go", "allowed_domains": ["go.dev"]})
    words = ("--tool", "WebSearch", "--input", tool_input, "--project", folder)
    (hook,) = read(hookwright_line, *words)["hooks"]
    assert (hook["does"], hook["databases"][0]["keyword"]) == ("deny", "go.dev")
    assert hook["vetoed"] == []


def test_index_without_an_answer_is_explained(
    hookwright_line: CommandLine,
    indexed: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOOKWRIGHT_DOCS", str(tmp_path))
    (tmp_path / "acme" / "1").mkdir(parents=True)
    build_index(COOKING, [], tmp_path / "acme" / "1" / "index.sqlite")
    (tmp_path / "acme" / "current").write_text("1")
    (tmp_path / "acme" / "current").chmod(0o600)
    answered = hookwright_line.output("try", "acme: knead flour and yeast", "--project", indexed)
    assert "Knead flour, water and yeast." in answered
    output = hookwright_line.output("try", "acme salary in berlin", "--project", indexed)
    assert "not acme: its best passage lacks 'salary', 'berlin'" in output
    page = ("try", f"{SITE}bread.html", "--project", indexed)
    assert "acme: it has the page" in hookwright_line.output(*page, "--expect", "deny")
    assert "Knead flour, water and yeast." in hookwright_line.output(*page, "--client", "qwen")
    tool_input = json.dumps({"url": f"{SITE}bread.html", "prompt": "salary in berlin"})
    words = ("try", "--tool", "WebFetch", "--input", tool_input, "--project", indexed)
    assert "not acme: the page lacks 'salary', 'berlin'" in hookwright_line.output(*words)
    other = ("try", f"{SITE}cake.html", "--project", indexed, "--expect", "allow")
    assert "no database here has the page" in hookwright_line.output(*other)
