"""`hookwright add` adds a database or a route to a project, by options or by questions."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from hookwright.project.change import commit_project, create_project
from hookwright.template.store import keep_template

from ...support.command_line import CommandLine
from ...support.git_repository import git, start_project
from ...support.hypothesis_profiles import mark_long
from ...support.installer import snapshot
from ...support.project import GITLAB, KUBERNETES, ROOT, ROUTES, fetch_event, run_hook, search_event
from ...support.pseudo_terminal import CTRL_C, ENTER, open_terminal
from ...support.rendered_project import read_answers

TERRAFORM = (
    *("add", "database", "--keyword", "terraform", "--keyword", "tf", "--path", "/docs/terraform"),
    *("--tool", "mcp__leann__leann_search", "--description", "Terraform documentation"),
)
LEANN = ROOT / "tests" / "support" / "fake_leann.py"
ACME = ("add", "route", "acme", "--pattern", r"acme\.com/(?P<page>\w+)", "--message", "Ask {page}.")


@pytest.fixture
def routed_only(tmp_path: Path) -> Path:
    folder = tmp_path / "routed" / "my-hooks"
    create_project(folder, {"routes": ROUTES}, str(keep_template()))
    assert not commit_project(folder)
    return folder


@pytest.fixture
def project_folder(
    kept: Path, hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> Path:
    assert hookwright_line.folder == Path.cwd()
    monkeypatch.chdir(kept)
    return kept


def test_database_is_added_with_options(hookwright_line: CommandLine, kept: Path) -> None:
    words = ("--argument", "index_name=tf", "--argument", "top_k=3", "--domain", "terraform.io")
    output = hookwright_line.output(*TERRAFORM, *words, "--project", kept, "--yes")
    assert "\n+   - terraform\n" in output
    record = {
        "keywords": ["terraform", "tf"],
        "path": "/docs/terraform",
        "mcp_tool_name": "mcp__leann__leann_search",
        "description": "Terraform documentation",
        "arguments": {"index_name": "tf", "top_k": 3},
        "domains": ["terraform.io"],
    }
    assert read_answers(kept)["databases"] == [GITLAB, KUBERNETES, record]
    assert git(kept, "log", "-1", "--format=%s") == "Add the database terraform\n"
    fresh = start_project(
        keep_template(),
        kept.parent / "fresh",
        databases=[GITLAB, KUBERNETES, record],
        routes=ROUTES,
    )
    assert snapshot(kept / "hooks") == snapshot(fresh / "hooks")


def test_route_is_added_with_options(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path
) -> None:
    hookwright_line.output(*ACME, "--once", "--project", kept, "--yes")
    routes = read_answers(kept)["routes"]
    assert list(routes) == [*ROUTES, "acme"]
    assert routes["acme"]["once"] is True
    hook = kept / "hooks" / "tool_routing.py"
    assert "Ask docs." in run_hook(hook, fetch_event("https://acme.com/docs"), tmp_path).reason


def test_first_record_adds_its_hook(
    hookwright_line: CommandLine, routed_only: Path, tmp_path: Path
) -> None:
    output = hookwright_line.run(*TERRAFORM, "--project", routed_only, "--yes")
    assert output.code == 0
    assert read_answers(routed_only)["hooks"] == ["docsearch", "tool_routing"]
    hook = routed_only / "hooks" / "docsearch.py"
    assert run_hook(hook, search_event("terraform plan"), tmp_path).denied


def test_tool_without_a_server_is_rejected(hookwright_line: CommandLine, kept: Path) -> None:
    words = ["mcp__leann_search" if word.startswith("mcp__") else word for word in TERRAFORM]
    assert hookwright_line.error(*words, "--project", kept, "--yes").endswith(
        'mcp_tool_name is "mcp__leann_search": write mcp__SERVER__TOOL, as in '
        "mcp__leann__leann_search"
    )


def test_stop_word_is_rejected(hookwright_line: CommandLine, kept: Path) -> None:
    words = (*TERRAFORM, "--keyword", "The", "--project", kept, "--yes")
    assert hookwright_line.error(*words).endswith(
        'keywords[0] is "The", which stands in any search: choose a word that names the technology'
    )


def test_tool_unknown_to_every_client_is_reported(hookwright_line: CommandLine, kept: Path) -> None:
    words = ["go" if word.startswith("mcp__") else word for word in TERRAFORM]
    completed = hookwright_line.run(*words, "--project", kept, "--yes", "--dry-run")
    assert completed.code == 0
    assert completed.errors == (
        "hookwright: go is not the full name of a tool: mcp__SERVER__TOOL is one; correct "
        "mcp_tool_name with hookwright edit\n"
        "hookwright: terraform: /docs/terraform does not exist: create it, or run hookwright edit "
        "terraform\n"
    )


def test_missing_tool_and_path_are_reported(hookwright_line: CommandLine, kept: Path) -> None:
    line = hookwright_line
    words = [word.replace("/docs/terraform", str(line.folder)) for word in TERRAFORM]
    words += ["--argument", "index_name=x", "--project", str(kept), "--yes", "--dry-run"]
    log = line.folder / "started"
    script = f"echo x >> {log}; exec {sys.executable} {LEANN}"
    servers = {"leann": {"command": "sh", "args": ["-c", script]}}
    (line.folder / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
    missing = "mcp__leann__leann_search: the server leann is not configured: run claude mcp add "
    added = f"{missing}leann --scope user -- leann_mcp\n"
    assert line.run(*words).errors == f"hookwright: {added}"
    (Path.home() / ".claude.json").write_text(json.dumps({"mcpServers": servers}))
    assert [line.run(*words).errors for _ in range(2)] == [""] * 2
    assert log.read_text() == "x\n"
    wrong = [word.replace("__leann_search", "__search") for word in words]
    assert "mcp__leann__search does not exist: the server leann has leann_search" in (
        line.run(*wrong).errors
    )


def test_missing_route_tool_is_reported(hookwright_line: CommandLine, kept: Path) -> None:
    route = ("x", "--pattern", "x[.]org", "--message", "Call mcp__x__get.")
    completed = hookwright_line.run("add", "route", *route, "--project", kept, "--yes", "--dry-run")
    assert "mcp__x__get: the server x is not configured: run claude mcp add x " in completed.errors
    linear = ROOT / "examples" / "routes" / "linear.yml"
    completed = hookwright_line.run(
        "add", "--from", linear, "--project", kept, "--yes", "--dry-run"
    )
    add = "claude mcp add --scope user --transport http linear https://mcp.linear.app/mcp"
    assert completed.errors.count(f"the server linear is not configured: run {add}\n") == 1


REFUSED: list[tuple[list[str], str, int]] = [  # arguments, message, exit code
    (
        ["add"],
        "nothing to add: use add database, route, lessons, hook or client, or add --from FILE|URL",
        2,
    ),
    (["add", "record"], "No such command 'record'", 2),
    (["add", "database"], "add --keyword and --path and --tool and --description", 2),
    (["add", "route"], "add NAME and --pattern and --message", 2),
    (["add", "route", "x", "--pattern", "x", "--action", "warn"], "add --message", 2),
    (["add", "route", "x", "--pattern", "", "--message", "x"], "--pattern is empty: enter", 2),
    ([*TERRAFORM, "--path", ""], "--path is empty: enter some text", 2),
    ([*TERRAFORM, "--keyword", ""], "--keyword is empty: enter some text", 2),
    ([*TERRAFORM, "--argument", ""], "--argument is empty: enter some text", 2),
    ([*TERRAFORM, "--argument", "x"], "--argument: expected KEY=VALUE, got x", 2),
    (
        [*TERRAFORM, "--name", "gitlab"],
        "the database gitlab exists: choose another name for",
        1,
    ),
    ([*TERRAFORM, "--keyword", " x"], 'keywords[2] is " x": take out the spaces', 1),
    ([*TERRAFORM, "--domain", "x"], 'hookwright: domains[0] is "x": write it as in', 1),
    ([*ACME, "--action", "deny"], 'routes.acme: action is "deny": choose from block', 1),
    (
        ["add", "route", "x", "--pattern", "(a+)+$", "--message", "x"],
        "can backtrack without end",
        1,
    ),
    (["add", "route", "linear", *ACME[3:]], "routes.linear exists", 1),
]


@pytest.mark.usefixtures("impatient")
def test_invalid_record_is_rejected_in_one_line(
    hookwright_line: CommandLine, project_folder: Path
) -> None:
    before = snapshot(project_folder)
    for words, message, code in REFUSED:
        assert message in hookwright_line.error(*words, code=code)
        assert snapshot(project_folder) == before


def test_invalid_pattern_is_marked(hookwright_line: CommandLine, project_folder: Path) -> None:
    before = snapshot(project_folder)
    words = ["add", "route", "x", "--pattern", r"gist\.github\.com/(\w+", "--message", "x"]
    completed = hookwright_line.run(*words)
    message, pattern, caret = completed.errors.splitlines()
    assert completed.code == 1
    assert 'routes.x: pattern is "' in message
    assert "wrong at character 19: missing ), unterminated subpattern: add the )" in message
    assert pattern[caret.index("^")] == "("
    assert snapshot(project_folder) == before


def test_allowing_route_needs_no_message(hookwright_line: CommandLine, kept: Path) -> None:
    words = ("add", "route", "ours", "--pattern", "github.com/ours/", "--action", "allow")
    hookwright_line.output(*words, "--project", kept, "--yes")
    assert read_answers(kept)["routes"]["ours"] == {
        "pattern": "github.com/ours/",
        "action": "allow",
    }


@pytest.mark.long
def test_uncommitted_changes_are_rejected_before_any_question(kept: Path) -> None:
    (kept / "README.md").write_text("mine")
    with open_terminal("add", "database", folder=kept) as terminal:
        terminal.see("has uncommitted changes (README.md): commit or stash them first")
        assert terminal.end() == 1
    assert "Which keywords" not in terminal.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("database", "--name", "gitlab", "--keyword", "glab"), "the database gitlab exists"),
        (("database", "--keyword", "gitlab"), "the database gitlab exists"),
        (("route", "linear"), "routes.linear exists"),
    ],
)
def test_taken_name_is_rejected_before_any_question(
    kept: Path, words: tuple[str, ...], said: str
) -> None:
    with open_terminal("add", *words, folder=kept) as terminal:
        terminal.see(f"{said}: choose another name")
        assert terminal.end() == 1
    assert "?" not in terminal.output


def test_database_is_added_at_a_terminal(kept: Path, tmp_path: Path) -> None:
    words = ("add", "database", "--path", "/docs/terraform")
    with open_terminal(*words, folder=kept) as terminal:
        terminal.answer("Which keywords send a search to it?", "gitlab" + ENTER)
        terminal.see("a database named gitlab already exists")
        terminal.answer("> ", "terraform" + ENTER)
        terminal.answer("What is it? The agent will see:")
        terminal.answer("Which tool searches it?", "mcp__docs__search" + ENTER)
        terminal.answer("With which other arguments?", "five" + ENTER)
        terminal.see("expected KEY=VALUE, got five")
        terminal.answer("> ", "five=5" + ENTER)
        terminal.answer("Which websites does it cover?")
        terminal.see("mcp__docs__search with")
        terminal.see('{"five": 5}')
        terminal.answer("What next?")
        terminal.answer("The client has no MCP server docs", "docs-mcp --stdio" + ENTER)
        terminal.see("docs-mcp")
        terminal.answer("Add the database terraform, as above?", "y" + ENTER)
        terminal.see("Add the database terraform: done, and committed")
        assert terminal.end() == 0
    answers = read_answers(kept)
    assert answers["databases"][-1] == {
        "keywords": ["terraform"],
        "path": "/docs/terraform",
        "mcp_tool_name": "mcp__docs__search",
        "arguments": {"five": 5},
        "description": "the terraform documentation",
    }
    assert answers["mcp_servers"]["docs"] == {"command": "docs-mcp", "args": ["--stdio"]}
    hook = kept / "hooks" / "docsearch.py"
    assert run_hook(hook, search_event("terraform plan"), tmp_path).denied


def test_route_is_added_at_a_terminal(kept: Path) -> None:
    with open_terminal("add", "route", folder=kept) as terminal:
        terminal.answer("What is the route called?", "linear" + ENTER)
        terminal.see("a route named linear already exists")
        terminal.answer("> ", "linear-api" + ENTER)
        terminal.answer("Which tool's calls does it apply to?", "2" + ENTER)
        terminal.answer("Which commands? A regular expression.", r"curl.*linear\.app" + ENTER)
        terminal.answer("What happens to such a call?")
        terminal.answer("What should the agent be told?", "Call mcp__linear__get_issue." + ENTER)
        terminal.answer("Which command does that need?")
        terminal.answer("Let the identical call through", "y" + ENTER)
        terminal.answer("Try it:", "curl https://api.linear.app/graphql" + ENTER)
        terminal.see("| Call mcp__linear__get_issue.")
        terminal.answer("Keep it as a test of the route?", "y" + ENTER)
        terminal.answer("What next?")
        terminal.answer("Add the route linear-api, as above?", "y" + ENTER)
        terminal.see("Add the route linear-api: done, and committed")
        assert terminal.end() == 0
    call = {"tool_name": "Bash", "tool_input": {"command": "curl https://api.linear.app/graphql"}}
    assert read_answers(kept)["routes"]["linear-api"] == {
        "tool": "Bash",
        "pattern": r"curl.*linear\.app",
        "message": "Call mcp__linear__get_issue.",
        "once": True,
        "tests": [{"desc": "as tried", "input": call, "expect": "block"}],
    }


def test_route_for_another_tool_asks_for_its_field(kept: Path) -> None:
    words = ("add", "route", "notes", "--message", "No.", "--requires", "sh", "--once")
    with open_terminal(*words, folder=kept) as terminal:
        terminal.answer("Which tool's calls does it apply to?", "3" + ENTER)
        terminal.answer("Its full name", "mcp__notes__find" + ENTER)
        terminal.answer("Which field of its input does the pattern match?", "query" + ENTER)
        terminal.answer("A regular expression.", "secret" + ENTER)
        terminal.answer("What happens to such a call?")
        terminal.answer("Try it: which query should match?", "secret plans" + ENTER)
        terminal.see("""For mcp__notes__find '{"query": "secret plans"}' the agent gets:""")
        terminal.answer("Keep it as a test of the route?", "y" + ENTER)
        terminal.answer("What next?")
        terminal.answer("Add the route notes, as above?", "y" + ENTER)
        assert terminal.end() == 0
    route = read_answers(kept)["routes"]["notes"]
    assert (route["tool"], route["field"]) == ("mcp__notes__find", "query")
    assert route["tests"][0]["input"]["tool_input"] == {"query": "secret plans"}


def test_unnamed_field_of_another_tool_is_reported(
    hookwright_line: CommandLine, kept: Path
) -> None:
    words = ("--project", kept, "--yes", "--dry-run", "--tool")
    for tool, said in [
        ("mcp__x__y", "hookwright: routes.acme matches the field url of the input: use --field "),
        ("Bash|mcp__x__y", ""),
    ]:
        errors = hookwright_line.run(*ACME, *words, tool).errors
        assert errors.startswith(said)
        assert bool(errors) == bool(said)


@pytest.mark.long
@pytest.mark.parametrize("place", ["keywords", "diff", *mark_long(["preview"])])
def test_interrupted_addition_changes_nothing(kept: Path, place: str) -> None:
    before = snapshot(kept)
    options: dict[str, Any] = {"path": "/x", "tool": "t", "description": "d", "domain": "x.org"}
    words = [part for name, value in options.items() for part in (f"--{name}", value)]
    with open_terminal("add", "database", *words, folder=kept) as terminal:
        terminal.answer("Which keywords", CTRL_C if place == "keywords" else "terraform" + ENTER)
        if place != "keywords":
            terminal.answer("With which other arguments?")
            terminal.answer("What next?", CTRL_C if place == "preview" else ENTER)
        if place == "diff":
            terminal.answer("as above?", CTRL_C)
        assert terminal.end() == 130
    message = (
        "stopped"
        if place == "keywords"
        else f"a draft is kept: to go on, run hookwright add database {' '.join(words)}"
    )
    assert " ".join(terminal.output.split()).endswith(message)
    assert "Traceback" not in terminal.output
    assert snapshot(kept) == before


@pytest.mark.long
def test_interrupted_addition_can_be_resumed(kept: Path) -> None:
    words = (*TERRAFORM[:6], *TERRAFORM[8:])
    with open_terminal(*words, folder=kept) as terminal:
        terminal.answer("With which other arguments?", "top_k=5" + ENTER)
        terminal.answer("Where is it?", CTRL_C)
        assert terminal.end() == 130
    with open_terminal(*words, folder=kept) as terminal:
        terminal.answer("Go on with the draft of ")
        terminal.answer("Where is it?", "<" + ENTER)
        terminal.answer("Default: top_k=5", "top_k=6" + ENTER)
        terminal.answer("Where is it?", "/docs" + ENTER)
        terminal.answer("Which websites does it cover?")
        terminal.answer("What next?")
        terminal.answer("as above? [Y/n]", "n" + ENTER)
        terminal.see(
            "nothing changed; a draft is kept: to go on, run hookwright add database --key"
        )
        assert terminal.end() == 1
    with open_terminal(*words, folder=kept) as terminal:
        terminal.answer("Go on with the draft of ")
        terminal.answer("What next?")
        terminal.answer("as above? [Y/n]")
        assert terminal.end() == 0
    assert read_answers(kept)["databases"][-1]["arguments"] == {"top_k": 6}


@pytest.mark.long
def test_record_argument_is_optional(kept: Path) -> None:
    before = snapshot(kept)
    with open_terminal(*TERRAFORM[:6], *TERRAFORM[8:], folder=kept) as terminal:
        terminal.answer("With which other arguments?")
        terminal.answer("Where is it?", "/docs" + ENTER)
        terminal.answer("Which websites does it cover?")
        terminal.answer("What next?", "3" + ENTER)
        terminal.see("the database was skipped: nothing changed")
        assert terminal.end() == 1
    assert snapshot(kept) == before
