"""The hook registry and the template agree: a hook that is missing from either is detected."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from hookwright.clients.dialects import CLAUDE
from hookwright.hooks.registry import (
    DOCSEARCH,
    HOOKS,
    LESSON_SEARCH,
    TOOL_ROUTING,
    Hook,
    find_for_call,
)
from hookwright.installer.registry import ADDED
from hookwright.project.own_installer import list_first_events

from ..support.dialects import OTHERS
from ..support.project import GITLAB, PULL_REQUEST, ROOT, ROUTES, render

NAMES = [hook.name for hook in HOOKS]
CHOSEN = [name for name in NAMES if name not in ADDED.values()]  # a yes enables the other hooks
ROUTED = {TOOL_ROUTING.name: "WebFetch|Bash|PowerShell|Monitor"}  # the tools of the routes below

each_hook = pytest.mark.parametrize("hook", HOOKS, ids=NAMES)


@pytest.fixture(scope="module")
def questions() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((ROOT / "copier.yml").read_text("utf-8"))
    return content


@pytest.fixture(scope="module")
def full_project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(
        template,
        tmp_path_factory.mktemp("every") / "my-hooks",
        hooks=CHOSEN,
        **dict.fromkeys(ADDED, True),
        databases=[GITLAB],
        routes={"pr": PULL_REQUEST, "any": {**PULL_REQUEST, "tool": "Bash"}},
    )


@pytest.mark.parametrize("settings", ["settings.json", "hooks/hooks.json"])
def test_settings_have_the_events_and_tools(full_project: Path, settings: str) -> None:
    matchers: dict[str, dict[str, str]] = {name: {} for name in NAMES}
    for event, entries in json.loads((full_project / settings).read_text())["hooks"].items():
        for entry in entries:
            (handler,) = entry["hooks"]
            (name,) = (name for name in NAMES if f"/{name}.py" in handler["command"])
            matchers[name][event] = entry.get("matcher", "")
    assert {name: set(own) for name, own in matchers.items()} == {
        hook.name: set(hook.events) for hook in HOOKS
    }
    for hook in HOOKS:
        matcher = matchers[hook.name][hook.events[0]]
        assert matcher == (hook.tool or ROUTED.get(hook.name, ""))


def test_installed_copies_are_in_the_first_events_folder(full_project: Path) -> None:
    text = (full_project / "settings.json").read_text()
    assert set(re.findall(r"/hooks/(\w+)/(\w+)\.py", text)) == {
        (hook.events[0], hook.name) for hook in HOOKS
    }


def test_plugin_version_depends_only_on_the_answers(template: Path, tmp_path: Path) -> None:
    answers = {"databases": [GITLAB], "routes": {"pr": PULL_REQUEST}, "top_k": 4}
    versions = {
        json.loads((folder / ".claude-plugin" / "plugin.json").read_text())["version"]
        for folder in (
            render(template, tmp_path / "a" / "p", **answers),
            render(template, tmp_path / "b" / "p", **dict(reversed(answers.items()))),
        )
    }
    assert len(versions) == 1


@each_hook
def test_installer_knows_the_hook(full_project: Path, hook: Hook) -> None:
    hooks = list_first_events(json.loads((full_project / "settings.json").read_text()))
    (event,) = (event for event, name in hooks if name == hook.name)
    assert event in hook.events


@pytest.mark.parametrize("excluded", [NAMES[::2], NAMES[1::2]], ids=" ".join)
def test_excluded_hooks_have_no_files(template: Path, tmp_path: Path, excluded: list[str]) -> None:
    answers = {
        "hooks": [name for name in CHOSEN if name not in excluded],
        **{question: name not in excluded for question, name in ADDED.items()},
        "databases": [GITLAB],
        "routes": ROUTES,
        "clients": [CLAUDE, *OTHERS],
    }
    project = render(template, tmp_path / "project", **answers)
    for name in excluded:
        assert list(project.rglob(f"*{name}.py")) == []


@each_hook
def test_questions_match_the_hook(questions: dict[str, Any], hook: Hook) -> None:
    names = [name for name, question in questions.items() if f"'{hook.name}'" in ask_when(question)]
    assert sorted(hook.questions) == sorted(names)
    assert hook.records in {"", *hook.questions}
    assert bool(hook.records) == bool(hook.record)


def ask_when(question: object) -> str:
    return str(question.get("when", "")) if isinstance(question, dict) else ""


@pytest.mark.parametrize(
    ("tool", "hook"),
    [("WebSearch", DOCSEARCH), ("WebFetch", TOOL_ROUTING), ("mcp__a__b", TOOL_ROUTING)],
)
def test_calls_are_assigned_to_a_hook(tool: str, hook: Hook) -> None:
    assert find_for_call(tool) == hook
    assert not LESSON_SEARCH.takes(tool)
