"""A denial states the reason and where the agent can search instead."""

import json
from pathlib import Path

import pytest

from ..support.project import GITLAB, KUBERNETES, render, run_hook, search_event

LEANN = {**GITLAB, "mcp_tool_name": "mcp__leann__leann_search", "arguments": {"index_name": "gl"}}


def test_denial_names_the_tool_of_a_single_database(hook: Path, config: Path) -> None:
    answer = run_hook(hook, search_event("configure GitLab CI runners"), config)
    assert answer.denied
    assert answer.output == {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "Query matches 'gitlab' - using RAG database instead",
        "additionalContext": (
            "Call this MCP tool with your query: mcp__leann__search for GitLab documentation from "
            "docs.gitlab.com at /Users/viktor/.leann/databases/gitlab\n"
            'ToolSearch "select:mcp__leann__search" loads it. The identical WebSearch again '
            "reaches the web."
        ),
    }


def test_denial_lists_the_tools_of_several_databases(hook: Path, config: Path) -> None:
    answer = run_hook(hook, search_event("deploy to k8s from GitLab"), config)
    assert answer.denied
    reason = "Query matches 'gitlab' and 'k8s' - using RAG databases instead"
    assert answer.output["permissionDecisionReason"] == reason
    first, second, third, last = answer.output["additionalContext"].split("\n")
    assert first == "Call these MCP tools IN PARALLEL with your query:"
    assert second.startswith("1. mcp__leann__search for GitLab documentation")
    assert third.startswith("2. mcp__leann__search for Kubernetes official documentation at /Users")
    assert last.count("mcp__leann__search") == 1


def test_arguments_are_included_in_the_call(template: Path, tmp_path: Path, config: Path) -> None:
    project = render(template, tmp_path / "project", databases=[LEANN, KUBERNETES])
    answer = run_hook(project / "hooks/docsearch.py", search_event("gitlab k8s"), config)
    context = answer.output["additionalContext"]
    assert '1. mcp__leann__leann_search with {"index_name": "gl"} for GitLab' in context
    assert 'ToolSearch "select:mcp__leann__leann_search,mcp__leann__search"' in context


def test_keyword_shared_by_two_databases(template: Path, tmp_path: Path, config: Path) -> None:
    project = render(template, tmp_path / "project", databases=[GITLAB, LEANN])
    answer = run_hook(project / "hooks/docsearch.py", search_event("gitlab"), config)
    reason = "Query matches 'gitlab' - using RAG databases instead"
    assert answer.output["permissionDecisionReason"] == reason


def test_keyword_is_shown_in_the_user_spelling(
    template: Path, tmp_path: Path, config: Path
) -> None:
    database = {**GITLAB, "keywords": ["GitLab Runner"]}
    project = render(template, tmp_path / "project", databases=[database])
    answer = run_hook(project / "hooks/docsearch.py", search_event("gitlab runner tags"), config)
    assert "'GitLab Runner'" in answer.output["permissionDecisionReason"]


def test_stderr_repeats_the_guidance(hook: Path, config: Path) -> None:
    answer = run_hook(hook, search_event("gitlab"), config)
    output = answer.output
    expected = f"{output['permissionDecisionReason']}\n{output['additionalContext']}\n"
    assert answer.stderr == expected


@pytest.mark.parametrize(("query", "most"), [("gitlab", 330), ("gitlab gl k8s", 600)])
def test_denial_is_short(
    template: Path, tmp_path: Path, config: Path, query: str, most: int
) -> None:
    databases = [GITLAB, {**LEANN, "keywords": ["gl"]}, KUBERNETES]
    project = render(template, tmp_path / "project", databases=databases)
    answer = run_hook(project / "hooks/docsearch.py", search_event(query), config)
    assert len(answer.output["additionalContext"]) <= most


def test_any_script_is_supported(template: Path, tmp_path: Path, config: Path) -> None:
    database = {**GITLAB, "keywords": ["größe"], "description": "社内文書 🦊"}
    project = render(template, tmp_path / "project", databases=[database])
    hook = project / "hooks/docsearch.py"
    answer = run_hook(hook, search_event("GRÖSSE"), config, LC_ALL="C", PYTHONIOENCODING="ascii")
    assert answer.denied
    assert "社内文書 🦊" in answer.output["additionalContext"]
    assert answer.stdout.isascii()


@pytest.mark.parametrize(
    ("query", "code", "told"),
    [
        ("weather", 0, ["no keyword", "'weather'"]),
        ("gitlab", 2, ["'gitlab'", "Query matches"]),
        ("wetter für morgen", 0, ["'wetter für morgen'"]),
    ],
)
def test_debug_mode_explains_the_decision(
    hook: Path, config: Path, query: str, code: int, told: list[str]
) -> None:
    answer = run_hook(hook, search_event(query), config, HOOKWRIGHT_DEBUG="1")
    assert answer.code == code
    assert all(text in answer.stderr for text in told)
    assert code == 0 or json.loads(answer.stdout)
    assert code == 2 or answer.stdout == ""


def test_denials_are_recorded(template: Path, tmp_path: Path, config: Path) -> None:
    named = {**KUBERNETES, "name": "clusters"}
    project = render(template, tmp_path / "p", databases=[GITLAB, named], record_blocks=True)
    for query in ("gitlab on k8s", "gitlab on k8s", "cooking", "gl"):
        run_hook(project / "hooks" / "docsearch.py", search_event(query), config)
    record = config / "hooks" / "docsearch-blocks.tsv"
    assert record.stat().st_mode & 0o777 == 0o600
    rows = [line.split("\t") for line in record.read_text().splitlines()]
    assert [row[1] for row in rows] == ["gitlab", "clusters", "gitlab"]
    assert {row[2] for row in rows} == {"WebSearch"}


def test_search_is_denied_even_if_recording_fails(
    template: Path, tmp_path: Path, config: Path
) -> None:
    project = render(template, tmp_path / "p", databases=[GITLAB], record_blocks=True)
    (config / "hooks" / "docsearch-blocks.tsv").mkdir(parents=True)
    assert run_hook(project / "hooks" / "docsearch.py", search_event("gitlab"), config).denied
