"""Prompt hints are added, tried, installed, checked and removed as a hook of the project."""

import json
from pathlib import Path

import pytest

from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import open_project

from ...support.command_line import CommandLine
from ...support.installer import snapshot
from ...support.project import GITLAB, INDEXED, render
from ...support.rendered_project import read_answers

PROMPT = "how do I cache gems in gitlab?"
HINT = "Documentation of gitlab is on this machine: mcp__leann__search searches it."


@pytest.fixture
def hinting(template: Path, tmp_path: Path) -> Path:
    answers = {"clients": ["claude", "codex"], "databases": [GITLAB, INDEXED]}
    return render(template, tmp_path / "my-hooks", prompt_hints=True, **answers)


@pytest.mark.parametrize("client", ["claude", "codex"])
def test_prompt_is_tried(hookwright_line: CommandLine, hinting: Path, client: str) -> None:
    words = ("try", "--project", hinting, "--client", client, "--prompt")
    for _ in range(2):
        assert f"besides the prompt:\n\n{HINT}\n" in hookwright_line.output(*words, PROMPT)
    output = hookwright_line.output(*words, "how do I cache gems in general?")
    assert output.startswith("The agent gets nothing besides the prompt:\n  no keyword is meant")
    made = json.loads(hookwright_line.output(*words, "/gitlab the cache of gems", "--json"))
    assert made["notes"] == ["no hint: the prompt is short, a command, or the client's own"]


def test_hook_is_installed_checked_and_uninstalled(
    hookwright_line: CommandLine, hinting: Path
) -> None:
    before = snapshot(Path.home())
    clients = ("--client", "claude", "--client", "codex")
    assert not run_own_installer(open_project(hinting), *clients).faults
    for folder in (".claude", ".codex"):
        scripts = [path.name for path in Path.home().glob(f"{folder}/**/*.py")]
        assert "prompt_hint-my-hooks.py" in scripts
    shown = hookwright_line.output("status", "--project", hinting)
    assert shown.count("prompt_hint-my-hooks.py") == 2
    checked = hookwright_line.run("doctor", "--project", hinting).output
    assert "docsearch, prompt_hint: up to date in the user settings" in checked
    assert "the hooks match the answers" in checked
    (script,) = Path.home().glob(".claude/hooks/*/prompt_hint-my-hooks.py")
    text = script.read_text()
    script.write_text(text.replace("gitlab", "github"))
    assert f"{script} is stale" in hookwright_line.run("doctor", "--project", hinting).output
    script.write_text(text)
    hookwright_line.output("uninstall", "--project", hinting, "--yes")
    after = snapshot(Path.home())
    assert {path for path in after if "prompt_hint" in path} == set()
    assert {path for path in after if ".codex" in path} == {
        path for path in before if ".codex" in path
    }


def test_hints_are_on_by_default_only_where_no_search_is_seen(
    template: Path, tmp_path: Path
) -> None:
    for clients, is_on in ((["claude", "codex"], False), (["codex"], True)):
        project = render(template, tmp_path / clients[0], databases=[GITLAB], clients=clients)
        assert read_answers(project)["prompt_hints"] is is_on
        assert bool([*project.rglob("hooks/prompt_hint.py")]) is is_on
