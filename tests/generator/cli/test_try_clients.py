"""`hookwright try --client` shows the exact text that another client's model receives."""

import json
from pathlib import Path

import pytest

from ...support.command_line import CommandLine
from ...support.dialects import TOOLS
from ...support.fake_lesson_server import CONTEXT, StandIn
from ...support.hypothesis_profiles import mark_long
from ...support.project import GITLAB, MESSAGE, ROUTES, URL, render

QUERY = "gitlab ci cache"


@pytest.mark.parametrize("client", ["gemini", *mark_long(["copilot", "opencode"])])
def test_search_is_tried(hookwright_line: CommandLine, dialects: Path, client: str) -> None:
    words = ("try", "--client", client, "--project", dialects, "--json", QUERY)
    for _ in range(2):
        output = json.loads(hookwright_line.output(*words))
        (hook,) = output["hooks"]
        assert (output["client"], output["tool"]) == (client, TOOLS[client][0])
        assert (hook["does"], hook["databases"][0]["keyword"]) == ("deny", "gitlab")
        assert "mcp__" not in hook["reason"] + hook["context"]
        assert "ToolSearch" not in hook["reason"] + hook["context"]
        if client != "copilot":  # only Copilot separates the reason from the context
            assert hook["reason"].endswith(" again reaches the web.")
            assert hook["context"] == ""


@pytest.mark.parametrize(
    ("client", "line"),
    [
        ("codex", "no docsearch (use prompt_hints): it searches at its host"),
        ("qwen", "docsearch for fetches only: it has no search tool"),
    ],
)
def test_unsupported_client_is_reported(
    hookwright_line: CommandLine, dialects: Path, client: str, line: str
) -> None:
    words = ("try", "--client", client, "--project", dialects, QUERY)
    assert line in hookwright_line.output(*words)
    output = json.loads(hookwright_line.output(*words, "--json"))
    assert (output["hooks"], line in output["cannot"]) == ([], True)


def test_first_client_with_the_tool_is_tried(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    answers = {"clients": ["codex", "gemini"], "databases": [GITLAB], "routes": ROUTES}
    project = render(template, tmp_path / "my-hooks", **answers)
    output = json.loads(hookwright_line.output("try", "--project", project, "--json", QUERY))
    assert (output["client"], output["hooks"][0]["does"]) == ("gemini", "deny")


@pytest.mark.parametrize("client", ["gemini", *mark_long(["copilot", "qwen", "opencode"])])
def test_fetch_is_tried(hookwright_line: CommandLine, dialects: Path, client: str) -> None:
    output = hookwright_line.output("try", "--client", client, "--project", dialects, URL)
    assert output.startswith(f"{TOOLS[client][1]}: {URL}\nDenied by tool_routing:\n")
    assert f"characters instead of the result:\n\n{MESSAGE}\n" in output


@pytest.mark.parametrize("client", ["qwen", *mark_long(["codex", "copilot", "gemini", "opencode"])])
def test_warning_is_shown(hookwright_line: CommandLine, dialects: Path, client: str) -> None:
    words = ("try", "--client", client, "--project", dialects, "--bash", "git clean -fd")
    output = hookwright_line.output(*words)
    assert output.startswith(
        f"{TOOLS[client][2]}: git clean -fd\nAllowed with a warning by tool_routing:\n"
    )
    assert "The agent gets 12 characters besides its result:\n\nThis deletes\n" in output


@pytest.mark.parametrize("client", ["copilot", *mark_long(["gemini", "opencode"])])
def test_prompt_is_tried(
    hookwright_line: CommandLine, template: Path, tmp_path: Path, stand_in: StandIn, client: str
) -> None:
    answers = {"lesson_server_url": stand_in.url, "clients": [client]}
    project = render(template, tmp_path / "my-hooks", **answers)
    output = hookwright_line.output("try", "--project", project, "--prompt", "how to cache gems")
    assert f"The agent gets {len(CONTEXT)} characters besides the prompt:\n\n{CONTEXT}\n" in output


def test_edited_hook_is_not_run(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    routes = {"pr": {"pattern": "github", "message": "Use gh"}}
    project = render(template, tmp_path / "my-hooks", routes=routes, clients=["gemini"])
    hook = project / "clients" / "gemini" / "hooks" / "tool_routing.py"
    hook.write_text(hook.read_text("utf-8") + "# mine\n", "utf-8")
    completed = hookwright_line.run("try", "--project", project, URL)
    assert (completed.code, f"did not run {hook}" in completed.errors) == (1, True)


@pytest.mark.parametrize(
    ("client", "line"),
    [
        ("gemini", "has no hooks for gemini: run hookwright add client gemini"),
        ("cline", "cline is not a client: choose one of claude, codex, copilot, gemini"),
    ],
)
def test_client_outside_the_project_is_reported(
    hookwright_line: CommandLine, project: Path, client: str, line: str
) -> None:
    completed = hookwright_line.run("try", "--client", client, "--project", project, QUERY)
    assert completed.code != 0
    assert line in completed.errors


def test_url_is_tried_with_an_mcp_tool(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    route = {"pattern": r"^https://evil\.example", "tool": "mcp__web__fetch_url", "message": "No."}
    answers = {"hooks": ["tool_routing"], "clients": ["gemini"], "routes": {"evil": route}}
    project = render(template, tmp_path / "my-hooks", **answers)
    tool_input = json.dumps({"url": "https://evil.example/x"})
    words = ("try", "--client", "gemini", "--project", project, "--tool", "mcp__web__fetch_url")
    output = json.loads(hookwright_line.output(*words, "--input", tool_input, "--json"))
    assert output["input"] == {"url": "https://evil.example/x"}
    assert output["hooks"][0]["does"] == "deny"
