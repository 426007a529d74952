"""Test that the prompt_hint hook follows the answers."""

import json
from typing import Any

import pytest


@pytest.fixture(scope="session")
def prompt_hint(load_hook: Any) -> Any:
    return load_hook("prompt_hint")


@pytest.fixture(scope="session")
def databases(answers: "dict[str, Any]") -> "list[dict[str, Any]]":
    return [record for record in answers["databases"] if "disabled" not in record]


def list_hints(prompt_hint: Any) -> "list[str]":
    lines: list[str] = prompt_hint.HINTS[1:-1].split("\n")
    return lines


def read_added(run_hook: Any, prompt: str, session: str = "test") -> str:
    event = {"session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": prompt}
    answer = run_hook("prompt_hint", event)
    assert (answer.returncode, answer.stderr) == (0, b"")
    output = json.loads(answer.stdout or b'{"hookSpecificOutput": {"additionalContext": ""}}')
    added: str = output["hookSpecificOutput"]["additionalContext"]
    return added


def test_answers_and_tables_agree(
    prompt_hint: Any, databases: "list[dict[str, Any]]", fail_for: Any
) -> None:
    blocks = prompt_hint.KEYWORDS[1:-1].split("\n\n")
    keywords = [block.split("\n") for block in blocks if block.strip()]
    hints = [line for line in list_hints(prompt_hint) if line]
    named = zip(databases, hints)
    if (
        keywords != [database["keywords"] for database in databases]
        or len(hints) != len(databases)
        or not all(database["mcp_tool_name"] in hint for database, hint in named)
    ):
        fail_for("hooks/prompt_hint.py differs from the answers")


def test_prompt_gets_the_hint_once_in_a_session(
    run_hook: Any, prompt_hint: Any, databases: "list[dict[str, Any]]"
) -> None:
    for database, hint in list(zip(databases, list_hints(prompt_hint)))[:3]:
        beside = database.get("with", ["api function error install config code"])[0]
        prompt = f"Please tell me about this:\n{database['keywords'][0]}\n{beside}"
        if prompt_hint.match_keywords(prompt, []):
            added = [read_added(run_hook, prompt, session) for session in ("a", "a", "b")]
            assert [hint in text for text in added] == [True, False, True]


@pytest.mark.parametrize("prompt", ["", "yes", "/review KEYWORD", "<task-notification>KEYWORD"])
def test_other_prompts_get_nothing(
    run_hook: Any, databases: "list[dict[str, Any]]", prompt: str
) -> None:
    keyword = databases[0]["keywords"][0] if databases else ""
    assert read_added(run_hook, prompt.replace("KEYWORD", f"{keyword} and more")) == ""
