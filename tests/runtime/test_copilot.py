"""Copilot CLI loads Claude Code's settings and plugins, but receives answers in its own format."""

import json
from pathlib import Path
from typing import Any

import pytest

from ..support.fake_lesson_server import CONTEXT, StandIn
from ..support.project import (
    MESSAGE,
    PULL_REQUEST,
    URL,
    Answer,
    fetch_event,
    prompt_event,
    render,
    run_hook,
    search_event,
)


def send(hook: Path, event: dict[str, Any], config: Path, **environment: str) -> Answer:
    plain = {key: value for key, value in event.items() if key != "permission_mode"}
    return run_hook(hook, plain, config, **{"COPILOT_CLI": "1", **environment})


def test_search_is_denied_with_json_only(hook: Path, config: Path) -> None:
    answer = send(hook, search_event("gitlab"), config)
    assert (answer.code, answer.stderr) == (0, "")
    assert answer.output["permissionDecision"] == "deny"
    assert "gitlab" in answer.output["permissionDecisionReason"]
    assert "mcp__leann__search" in answer.output["additionalContext"]
    assert send(hook, search_event("gitlab"), config).silent, "a retry goes through"


@pytest.mark.parametrize("copies", [1, 2, 4])
def test_copies_let_the_retry_through(
    hook: Path, tmp_path: Path, config: Path, copies: int
) -> None:
    scripts = [tmp_path / str(number) / "docsearch.py" for number in range(copies)]
    for script in scripts:
        script.parent.mkdir()
        script.write_bytes(hook.read_bytes())
    denied = []
    for _ in range(3):
        answers = (send(script, search_event("gitlab"), config) for script in scripts)
        denied.append(any(not answer.silent for answer in answers))
    assert denied == [True, False, False]


@pytest.mark.parametrize("action", ["block", "warn"])
def test_route_answers_with_json_only(
    template: Path, tmp_path: Path, config: Path, action: str
) -> None:
    routes = {"pr": {**PULL_REQUEST, "action": action}}
    project = render(template, tmp_path / "project", routes=routes)
    answer = send(project / "hooks" / "tool_routing.py", fetch_event(URL), config)
    assert (answer.code, answer.stderr) == (0, "")
    assert MESSAGE in answer.output.values()


@pytest.mark.parametrize("copilot", ["1", "", "0", "true"])
def test_other_clients_get_an_exit_code_and_stderr(hook: Path, config: Path, copilot: str) -> None:
    event = search_event('gitlab "permission_mode"')
    if copilot != "1":
        del event["permission_mode"]
    answer = run_hook(hook, event, config, COPILOT_CLI=copilot)
    assert answer.denied
    assert answer.stderr


def test_key_inside_a_text_is_ignored(hook: Path, config: Path) -> None:
    assert send(hook, search_event('gitlab "permission_mode": "x"'), config).code == 0


def test_lessons_are_separate_context(lessons: Path, tmp_path: Path, stand_in: StandIn) -> None:
    code = (lessons / "hooks" / "lesson_search.py").read_text("utf-8")
    hook = tmp_path / "lesson_search.py"
    hook.write_text(code.replace(":7731", f":{stand_in.server_port}"), "utf-8")
    answer = send(hook, prompt_event("How do I cache gems in GitLab CI?"), Path("/nowhere"))
    assert (answer.code, answer.stderr) == (0, "")
    assert json.loads(answer.stdout) == {"additionalContext": CONTEXT}
