"""The wizard creates a project from answers at a terminal, and offers its findings."""

import json
import os
from pathlib import Path

import pytest

from ...support.git_repository import git, run_copier
from ...support.hypothesis_profiles import mark_long
from ...support.project import run_hook, search_event
from ...support.pseudo_terminal import CTRL_C, DELETE, ENTER, UP, Terminal, open_terminal
from ...support.rendered_project import read_answers

pytestmark = pytest.mark.usefixtures("kept_template")  # faster to copy than to build

PULL = r"github\.com/(?P<repo>[^/]+/[^/]+)/pull/\d+"
LEANN = "mcp__leann__leann_search"
ENDLESS = {"pattern": "(a+)+$"}
PAGE = r"acme\.com/(?P<page>\w+)"
OLD = {
    "keywords": ["kubernetes", "k8s"],
    "path": "/home/me/.leann/indexes/kubernetes",
    "mcp_tool_name": "mcp__leann__search",
    "description": "Kubernetes official documentation",
}


# The questions and messages in order, with the keys pressed at each.
FROM_NOTHING = [
    ("In which folder?", ENTER),
    ("How do you want to start?", "2" + ENTER),
    ("What is the project called?", "X" + ENTER),
    ('project_name is "X": use lowercase letters, digits and single hyphens', ENTER),
    ("Which hooks do you want?", "1, 2" + ENTER),
    ("Add a documentation database? [y/N]", "y" + ENTER),
    ("A web search that names one of its keywords is sent to the tool", ""),
    ("Which keywords send a search to it?", "gitlab, glab" + ENTER),
    ("What is it? The agent will see:", ENTER),
    ("Which tool searches it? Its full name:", ENTER),
    ("type an answer, such as mcp__leann__leann_search, or < to go back", "leann" + ENTER),
    ("leann is not the full name of a tool: mcp__SERVER__TOOL is one", LEANN + ENTER),
    ("With which other arguments?", ENTER),
    ("Where is it?", "/docs/gitlab" + ENTER),
    ("kept, but /docs/gitlab does not exist", ""),
    ("Which websites does it cover?", "gitlab" + ENTER),
    ('"gitlab" is not a host: type hosts such as go.dev, pkg.go.dev', "gitlab.com" + ENTER),
    ("For WebSearch 'how do I use gitlab' the agent gets:", ""),
    ("Call this MCP tool with your query: mcp__leann__leann_search", ""),
    ("What next?", ENTER),
    ("Add another database? [y/N]", ENTER),
    ("The client has no MCP server leann: which command starts it?", ENTER),
    ("Which routes?", "2" + ENTER),
    ("Add a route of your own? [y/N]", "y" + ENTER),
    ("What is the route called?", "github-pull-request" + ENTER),
    ("a route named github-pull-request already exists", "pages" + ENTER),
    ("Which tool's calls does it apply to?", ENTER),
    ("Which URLs? Paste one of them, or write a regular expression.", "github(" + ENTER),
    ("at character 7: missing ), unterminated subpattern: add the )", PULL + ENTER),
    ("What happens to such a call?", ENTER),
    ("What should the agent be told?", "Look at {repo}." + ENTER),
    ("Which command does that need?", ENTER),
    ("Let the identical call through when the agent repeats it? [y/N]", "n" + ENTER),
    ("Try it:", "https://example.com" + ENTER),
    ("is let through: pages does not match", ""),
    ("What next?", "2" + ENTER),
    ("What is the route called?", "<" + ENTER),
    ("What next?", "2" + ENTER),
    ("What is the route called?", "acme-pages" + ENTER),
    ("Which tool's calls does it apply to?", ENTER),
    ("Which URLs?", "(a+)+$" + ENTER),
    ("can backtrack without end", UP + DELETE * 6 + PAGE + ENTER),
    ("What happens to such a call?", ENTER),
    ("What should the agent be told?", "Not {page}!" + ENTER),
    ("Which command does that need?", ENTER),
    ("Let the identical call through", "n" + ENTER),
    ("Try it:", "https://acme.com/docs" + ENTER),
    ("| Not docs!", ""),
    ("Keep it as a test of the route?", "y" + ENTER),
    ("What next?", ENTER),
    ("Add a route of your own?", ENTER),
    ("Make the project in", ENTER),
    ("Install the hooks now?", ENTER),
    ("Install them, as above?", ENTER),
    ("hookwright doctor", ""),
]


def add_index(folder: Path, name: str) -> Path:
    index = folder / ".leann" / "indexes" / name
    index.mkdir(parents=True)
    (index / "documents.leann.meta.json").write_text("{}")
    return index


def start_questions(terminal: Terminal, hooks: str = ENTER) -> None:
    terminal.answer("In which folder?")
    terminal.answer("How do you want to start?", "2" + ENTER)
    terminal.answer("What is the project called?")
    terminal.answer("Which hooks do you want?", hooks)


def test_wizard_creates_and_installs_hooks_from_scratch(tmp_path: Path) -> None:
    with open_terminal("new", folder=tmp_path) as terminal:
        for question, keys in FROM_NOTHING:
            terminal.answer(question, keys)
        assert terminal.end() == 0
    project = tmp_path / "my-hooks"
    answers = read_answers(project)
    assert answers["databases"] == [
        {
            "keywords": ["gitlab", "glab"],
            "path": "/docs/gitlab",
            "mcp_tool_name": "mcp__leann__leann_search",
            "arguments": {"index_name": "gitlab"},
            "description": "the gitlab documentation",
            "domains": ["gitlab.com"],
        }
    ]
    assert answers["mcp_servers"] == {"leann": {"command": "leann_mcp"}}
    name, route = list(answers["routes"].items())[-1]
    assert name == "acme-pages"
    assert (route["pattern"], route["message"]) == (
        PAGE,
        "Not {page}!",
    )
    assert route["tests"][0]["input"]["tool_input"] == {"url": "https://acme.com/docs"}
    assert git(project, "status", "--porcelain") == ""
    installed = Path.home() / ".claude" / "hooks" / "PreToolUse" / "docsearch-my-hooks.py"
    assert run_hook(installed, search_event("glab ci lint"), tmp_path / "config").denied


def test_wizard_offers_discovered_records(tmp_path: Path) -> None:
    work, elsewhere = tmp_path / "work", tmp_path / "elsewhere"
    add_index(elsewhere, "terraform-docs")
    work.mkdir()
    registry = Path.home() / ".leann" / "projects.json"
    registry.parent.mkdir()
    registry.write_text(json.dumps([str(elsewhere), 5, str(tmp_path / "gone")]))
    remote = {"type": "http", "url": "http://127.0.0.1:1/mcp"}
    servers = {"mcpServers": {"docs": {"command": "/opt/leann_mcp"}, "other": remote}}
    (Path.home() / ".claude.json").write_text(json.dumps(servers))
    config = Path.home() / ".claude" / "hooks" / "docsearch-config.json"
    config.parent.mkdir(parents=True)
    wrong = {**OLD, "keywords": ["x\x1b[2J"]}
    config.write_text(json.dumps({"databases": [OLD, wrong, "[bold]"]}))
    with open_terminal("new", folder=work) as terminal:
        terminal.answer("In which folder?")
        terminal.see("LEANN has terraform-docs")
        terminal.see("The client has the MCP servers docs, other")
        terminal.see("docsearch-config.json has 1 database")
        terminal.see("left out: databases[1]: keywords[0] is")
        terminal.see("left out: databases[2] is")
        terminal.answer("How do you want to start?", "2" + ENTER)
        terminal.answer("What is the project called?")
        terminal.answer("Which hooks do you want?")
        terminal.answer("Which databases?")
        terminal.see(
            "kubernetes: LEANN has no tool mcp__leann__search, but mcp__leann__leann_search"
        )
        terminal.answer("Use that,")
        terminal.see("For WebSearch 'how do I use kubernetes' the agent gets:")
        terminal.answer("Which keywords send a search to it?")
        terminal.answer("What is it? The agent will see:")
        terminal.answer("Which tool searches it?")
        terminal.answer("With which other arguments?")
        terminal.answer("Which websites does it cover?")
        terminal.see("For WebSearch 'how do I use terraform' the agent gets:")
        terminal.answer("What next?")
        terminal.answer("Add another database?")
        terminal.answer("The client has no MCP server leann")
        terminal.answer("Make the project in")
        terminal.answer("Install the hooks now?", "4" + ENTER)
        assert terminal.end() == 0
    assert "\x1b[2J" not in terminal.output
    assert read_answers(work / "my-hooks")["databases"] == [
        {
            **OLD,
            "mcp_tool_name": "mcp__leann__leann_search",
            "arguments": {"index_name": "kubernetes"},
        },
        {
            "keywords": ["terraform"],
            "path": str(elsewhere / ".leann" / "indexes" / "terraform-docs"),
            "mcp_tool_name": "mcp__docs__leann_search",
            "arguments": {"index_name": "terraform-docs"},
            "description": "the terraform documentation",
        },
    ]
    completed = run_copier(
        "update", "--defaults", "--data", "retry_window=60", cwd=work / "my-hooks"
    )
    assert completed.returncode == 0, completed.stderr


@pytest.mark.long
def test_ordinary_word_is_explained(tmp_path: Path) -> None:
    with open_terminal("new", folder=tmp_path) as terminal:
        start_questions(terminal)
        terminal.answer("Add a documentation database?", "y" + ENTER)
        terminal.answer("Which keywords send a search to it?", "go" + ENTER)
        terminal.see("go is also an ordinary word: it counts only if the rest of a search is about")
        terminal.answer("What is it? The agent will see:")
        terminal.answer("Which tool searches it?", LEANN + ENTER)
        terminal.answer("With which other arguments?")
        terminal.answer("Where is it?", "/docs/go" + ENTER)
        terminal.answer("Which websites does it cover?")
        terminal.see("For WebSearch 'how do I use go ")
        terminal.see("the agent gets:")
        terminal.answer("What next?", CTRL_C)
        assert terminal.end() == 130


@pytest.mark.long
def test_leann_tool_is_the_default_where_leann_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "leann_mcp"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    with open_terminal("new", folder=tmp_path) as terminal:
        start_questions(terminal)
        terminal.answer("Add a documentation database?", "y" + ENTER)
        terminal.answer("Which keywords send a search to it?", "gitlab" + ENTER)
        terminal.answer("What is it? The agent will see:")
        terminal.answer("Which tool searches it?")
        terminal.answer("With which other arguments?", CTRL_C)
        assert terminal.end() == 130


def test_routes_from_an_earlier_hook_are_offered(tmp_path: Path) -> None:
    work = tmp_path / "My Hooks"
    work.mkdir()
    routes = {"pr": {"pattern": PULL, "message": "Ask."}, "bad": {**ENDLESS, "message": "x"}}
    (work / "tool-routes.json").write_text(json.dumps({"routes": routes}))
    with open_terminal("new", work / "Our Hooks", folder=work) as terminal:
        terminal.see("tool-routes.json has 2 routes")
        terminal.answer("How do you want to start?", "2" + ENTER)
        terminal.answer("What is the project called?")
        terminal.answer("Which hooks do you want?")
        terminal.answer("Which routes?", "1" + ENTER)
        terminal.see('left out: routes.bad: pattern is "(a+)+$": can backtrack without end')
        terminal.answer("Add a route of your own?")
        terminal.answer("Make the project in")
        terminal.see(f"2 for me, in {work}")
        terminal.answer("> ", "2" + ENTER)
        terminal.answer("Install them, as above?")
        terminal.see("Next: hookwright doctor")
        assert terminal.end() == 0
    answers = read_answers(work / "Our Hooks")
    assert answers["project_name"] == "our-hooks"
    assert answers["routes"] == {"pr": routes["pr"]}
    assert (work / ".claude" / "settings.local.json").exists()


@pytest.mark.parametrize("place", ["summary", *mark_long(["folder", "record"])])
def test_interrupted_wizard_keeps_a_draft(tmp_path: Path, place: str) -> None:
    work = tmp_path / "work"
    work.mkdir()
    with open_terminal("new", folder=work) as terminal:
        if place == "folder":
            terminal.answer("In which folder?", CTRL_C)
        else:
            start_questions(terminal, "3" + ENTER)
            terminal.answer("How should prompts reach", ENTER if place == "summary" else CTRL_C)
        if place == "summary":
            terminal.answer("Where is the lesson server?", "x" + ENTER)
            terminal.see("lesson_server_url is")
            terminal.answer("> ")
            terminal.see("Make the project in")
            terminal.answer("? [Y/n]", CTRL_C)
        assert terminal.end() == 130
    advice = "; a draft is kept: to go on, run hookwright new my-hooks"
    message = terminal.output.splitlines()[-1].rpartition("hookwright: ")[2]
    assert message == "stopped" + (advice if place != "folder" else "")
    assert "Traceback" not in terminal.output
    assert list(work.iterdir()) == []


def test_interrupted_installation_explains_how_to_continue(tmp_path: Path) -> None:
    with open_terminal("new", "ours", folder=tmp_path) as terminal:
        terminal.answer("How do you want to start?", "2" + ENTER)
        terminal.answer("What is the project called?")
        terminal.answer("Which hooks do you want?", "3" + ENTER)
        terminal.answer("How should prompts reach")
        terminal.answer("Where is the lesson server?")
        terminal.answer("Make the project in")
        terminal.answer("Install the hooks now?", CTRL_C)
        terminal.see("stopped; the project was created: to install it, run hookwright install")
        terminal.see(f"--project {tmp_path / 'ours'}")
        assert terminal.end() == 130
    assert read_answers(tmp_path / "ours")["hooks"] == ["lesson_search"]


@pytest.mark.long
def test_lesson_project_ends_with_the_server_command(tmp_path: Path) -> None:
    with open_terminal("new", "ours", folder=tmp_path) as terminal:
        terminal.answer("How do you want to start?", "2" + ENTER)
        terminal.answer("What is the project called?", CTRL_C)
        assert terminal.end() == 130
    with open_terminal("new", "ours", folder=tmp_path) as terminal:
        terminal.answer("Go on with the draft of ")
        terminal.answer("What is the project called?")
        terminal.answer("Which hooks do you want?", "3" + ENTER)
        terminal.answer("How should prompts reach")
        terminal.answer("Where is the lesson server?", "http://localhost:7800" + ENTER)
        terminal.answer("Make the project in")
        terminal.answer("Install the hooks now?", "4" + ENTER)
        terminal.see("lesson-search serve --port 7800")
        assert terminal.end() == 0
    assert "hookwright try" not in terminal.output
    assert "add database" not in terminal.output


def test_final_no_keeps_the_answers(tmp_path: Path) -> None:
    with open_terminal("new", "ours", folder=tmp_path) as terminal:
        terminal.answer("How do you want to start?", "2" + ENTER)
        terminal.answer("What is the project called?")
        terminal.answer("Which hooks do you want?", "3" + ENTER)
        terminal.answer("How should prompts reach", "<" + ENTER)
        terminal.answer("Which hooks do you want?")
        terminal.answer("How should prompts reach")
        terminal.answer("Where is the lesson server?", "http://localhost:7800" + ENTER)
        terminal.answer("Make the project in", "<" + ENTER)
        terminal.answer("Where is the lesson server?")
        terminal.answer("Make the project in", "n" + ENTER)
        terminal.see("nothing changed; a draft is kept: to go on, run hookwright new ours")
        assert terminal.end() == 1
    with open_terminal("new", "ours", folder=tmp_path) as terminal:
        terminal.answer("Go on with the draft of ")
        terminal.answer("Make the project in", "y" + ENTER)
        terminal.answer("Install the hooks now?", "4" + ENTER)
        assert terminal.end() == 0
    assert read_answers(tmp_path / "ours")["lesson_server_url"] == "http://localhost:7800"
