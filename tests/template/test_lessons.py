"""The answers about lesson search are checked and rendered into hook, settings and plugin."""

from pathlib import Path
from typing import Any

import pytest

from ..support.bad_answers import BAD_LESSON_ANSWERS
from ..support.project import GITLAB, ROUTES, render
from ..support.refusal import assert_refused
from ..support.rendered_project import (
    FILES,
    LESSON_FILES,
    ROUTING_FILES,
    SEARCH_FILES,
    SKILL_FILES,
    read_answers,
    read_files,
    read_hook,
    read_json,
)

DEFAULTS = {
    "transport": "command",
    "lesson_server_url": "http://127.0.0.1:7731",
    "top_k": 3,
    "context_budget": 2000,
    "min_score": 0,
    "capture": False,
    "action_lessons": True,
    "renovate": False,
    "lesson_time_limit": 2,
}


def test_invalid_answer_is_rejected() -> None:
    for bad in BAD_LESSON_ANSWERS:
        assert_refused(bad)


def test_unknown_transport_is_rejected(template: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Invalid choice for 'transport'"):
        render(template, tmp_path / "bad", transport="grpc")


def test_no_question_is_required(lessons: Path) -> None:
    stored = {name: answer for name, answer in read_answers(lessons).items() if name[0] != "_"}
    known = {"project_name": "my-hooks", "hooks": ["lesson_search"], "clients": ["claude"]}
    assert stored == {**known, **DEFAULTS}


@pytest.mark.parametrize(
    ("answers", "hooks"),
    [
        ({"min_score": 0}, ["lesson_search"]),
        (
            {"routes": ROUTES, "databases": [GITLAB], "top_k": 5},
            ["docsearch", "tool_routing", "lesson_search"],
        ),
    ],
)
def test_answer_enables_the_hook(
    template: Path, tmp_path: Path, answers: dict[str, Any], hooks: list[str]
) -> None:
    assert read_answers(render(template, tmp_path / "project", **answers))["hooks"] == hooks


def test_project_contains_only_the_files_of_its_hook(lessons: Path, lessons_http: Path) -> None:
    assert set(read_files(lessons)) == FILES - SEARCH_FILES | LESSON_FILES
    assert set(read_files(lessons_http)) == FILES - SEARCH_FILES | SKILL_FILES


def test_project_contains_the_files_of_all_hooks(template: Path, tmp_path: Path) -> None:
    project = render(template, tmp_path / "all", databases=[GITLAB], routes=ROUTES, top_k=3)
    assert set(read_files(project)) == FILES | ROUTING_FILES | LESSON_FILES
    for settings in ("settings.json", "hooks/hooks.json"):
        events = read_json(project, settings)["hooks"]
        counts = {event: len(entries) for event, entries in events.items()}
        assert counts == {
            "PostToolUseFailure": 1,
            "PreToolUse": 3,
            "SessionStart": 1,
            "UserPromptSubmit": 1,
        }
    description = read_json(project, ".claude-plugin/plugin.json")["description"]
    assert description.startswith("Send web searches to ")
    assert "; add the lessons that matter to a prompt; give failed commands" in description


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("http://localhost", "localhost:80"),
        ("http://lessons.example-1.com:65535", "lessons.example-1.com:65535"),
        ("http://[2001:db8::1]", "[2001:db8::1]:80"),
    ],
)
def test_hook_contains_the_answers(template: Path, tmp_path: Path, url: str, server: str) -> None:
    answers = {"top_k": 20, "context_budget": 9500, "lesson_time_limit": 30}
    project = render(template, tmp_path / "project", lesson_server_url=url, **answers)
    hook = read_hook(project, "lesson_search")
    names = ("SERVER", "TOP_K", "CONTEXT_BUDGET", "TIME_LIMIT")
    assert [hook[name] for name in names] == [server, 20, 9500, 30]


def test_minimum_score_is_sent(template: Path, tmp_path: Path) -> None:
    project = render(template, tmp_path / "command", min_score=0.45)
    hook = read_hook(project, "lesson_search")
    assert (hook["MIN_SCORE"], hook["QUERY"]) == (0.45, "top_k=3&budget=2000&min_score=0.45")
    project = render(template, tmp_path / "http", transport="http", min_score=0.45)
    [entry] = read_json(project, "settings.json")["hooks"]["UserPromptSubmit"]
    assert entry["hooks"][0]["url"].endswith("?top_k=3&budget=2000&min_score=0.45")


def test_command_timeout_exceeds_the_hook_limit(template: Path, tmp_path: Path) -> None:
    project = render(template, tmp_path / "project", lesson_time_limit=7)
    for settings, folder in (
        ("settings.json", "${CLAUDE_CONFIG_DIR:-$HOME/.claude}/hooks/UserPromptSubmit"),
        ("hooks/hooks.json", "${CLAUDE_PLUGIN_ROOT}/hooks"),
    ):
        [entry] = read_json(project, settings)["hooks"]["UserPromptSubmit"]
        [handler] = entry["hooks"]
        assert set(entry) == {"hooks"}
        assert handler["timeout"] == 10
        start = f'S="{folder}/lesson_search.py"; [ ! -f "$S" ] || exec python3 '
        assert handler["command"].startswith(start)


@pytest.mark.parametrize(
    ("url", "token"),
    [
        ("http://127.0.0.2", False),
        ("http://localhost:7731", False),
        ("http://[::1]:7731", False),
        ("http://localhost.example.com", True),
        ("https://10.0.0.1:7731", True),
    ],
)
def test_request_hook_is_rendered(template: Path, tmp_path: Path, url: str, *, token: bool) -> None:
    answers = {"transport": "http", "lesson_server_url": url, "lesson_time_limit": 7}
    project = render(template, tmp_path / "project", **answers)
    for settings in ("settings.json", "hooks/hooks.json"):
        [entry] = read_json(project, settings)["hooks"]["UserPromptSubmit"]
        [handler] = entry["hooks"]
        headers = {"Hookwright-Project": "my-hooks"}
        if token:
            headers["Authorization"] = "Bearer $LESSON_SEARCH_TOKEN"
            assert handler.pop("allowedEnvVars") == ["LESSON_SEARCH_TOKEN"]
        assert handler == {
            "type": "http",
            "url": f"{url}/hooks/user-prompt-submit?top_k=3&budget=2000",
            "timeout": 7,
            "headers": headers,
        }


@pytest.mark.parametrize(
    "changed",
    [
        {"transport": "http"},
        {"lesson_server_url": "http://a"},
        {"top_k": 4},
        {"context_budget": 4000},
        {"min_score": 0.3},
    ],
)
def test_plugin_version_depends_on_the_answers(
    template: Path, tmp_path: Path, lessons: Path, changed: dict[str, Any]
) -> None:
    project = render(template, tmp_path / "project", **changed)
    paths = [folder / ".claude-plugin" / "plugin.json" for folder in (project, lessons)]
    assert paths[0].read_text() != paths[1].read_text()
