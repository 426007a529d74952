"""A new client or hook requires only a folder and a word or question in the schema."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from ..support.installer import snapshot
from ..support.project import ROOT

CLIENT = {
    "title": "Acme Agent",
    "can": "every hook",
    "call": "BeforeCall",
    "prompt": "BeforePrompt",
    "tools": {"WebSearch": "look_up", "WebFetch": "get", "Bash": "sh"},
    "mcp_tool": ["mcp__", "__"],
    "answers": "reason",
    "lessons": "lessons",
    "second": 1,
    "folder": ["ACME_HOME", "~/.acme", "hookwright"],
    "transports": ["command"],
    "installation": {
        "home": ".acme",
        "variable": "ACME_HOME",
        "settings": {"user": "settings.json", "project": ".acme/settings.json"},
        "has_comments": True,
    },
    "mcp_servers": {
        "files": ["servers.json"],
        "holder": "servers",
        "local": {"run": "$words", "env": "$env"},
        "remote": {"at": "$url", "headers": "$headers"},
    },
    "package": {"root": "ACME_PLUGIN", "manifest": "acme-plugin.json"},
}
HOOK: dict[str, Any] = {
    "id": "0123456789abcdef0123456789abcdef",
    "describes": "each prompt is greeted",
    "does": ["greet", "each prompt"],
    "events": {"UserPromptSubmit": ""},
    "seconds": 5,
    "tests": {"test_greeting.py": "generator/hooks/greeting/test.py"},
}
QUESTION = {"description": "Whether prompts are echoed.", "hook": "echo", "type": "boolean"}
ASKED = """
echoes:
  type: bool
  default: false
"""
SCRIPT = """\
{% from "generator/macros/schema.jinja" import hook_rows -%}
#!/usr/bin/env python3
# ID: {{ hook_rows.greeting.id }}
print("Hello")
"""
HOOK_TEST = """\
def test_hook_greets(run_hook):
    assert run_hook("greeting", {}).stdout == b"Hello\\n"
"""
pytestmark = pytest.mark.long
SETTINGS = b'{ "theme": "dark" // mine\n}\n'


class Tree:
    """A copy of Hookwright with a fake client and hook, and a home folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder / "tree", folder / "home"
        self.project = folder / "my-hooks"
        self.folder.mkdir()
        program = self.home / "bin" / "acme"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\necho acme 1.2.3\n")
        program.chmod(0o755)

    def run(
        self,
        *words: object,
        module: str = "hookwright",
        codes: tuple[int, ...] = (0,),
        **options: Any,
    ) -> str:
        paths = [self.folder / "generator", ROOT / "server", ROOT / "console"]
        own = {
            "HOME": str(self.home),
            "PATH": f"{self.home / 'bin'}:{Path(sys.executable).parent}:{os.defpath}",
            "PYTHONPATH": os.pathsep.join(map(str, paths)),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        completed = subprocess.run(
            [sys.executable, "-m", module, *map(str, words)],
            capture_output=True,
            check=False,
            env=own,
            text=True,
            **{"cwd": self.home, **options},
        )
        assert completed.returncode in codes, completed.stdout + completed.stderr
        return str(completed.stdout)

    def examine(self) -> list[tuple[str, str, str]]:
        """Return doctor's findings; missing servers are faults, so exit code 1 is allowed."""
        words = ("doctor", "--project", self.project, "--no-start", "--json")
        findings = json.loads(self.run(*words, codes=(0, 1)))
        return [(finding["check"], finding["status"], finding["line"]) for finding in findings]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    copied = Tree(tmp_path_factory.mktemp("made-up"))
    ignored = shutil.ignore_patterns("__pycache__")
    questions = (ROOT / "copier.yml").read_text("utf-8")
    before, files, after = questions.partition("\n# Not asked")
    (copied.folder / "copier.yml").write_text(before + ASKED + files + after, "utf-8")
    for part in ("template", "generator"):
        shutil.copytree(
            ROOT / part, copied.folder / part, ignore=None if part == "generator" else ignored
        )
    generator = copied.folder / "generator"
    schema = json.loads((generator / "schema.json").read_text())
    schema["properties"]["clients"]["items"]["enum"].append("acme")
    schema["properties"]["hooks"]["items"]["enum"].append("greeting")
    schema["properties"]["echoes"] = QUESTION
    (generator / "schema.json").write_text(json.dumps(schema))
    (generator / "clients" / "acme").mkdir()
    (generator / "clients" / "acme" / "client.json").write_text(json.dumps(CLIENT))
    for name in ("greeting", "echo"):
        hook = generator / "hooks" / name
        hook.mkdir()
        text = json.dumps({**HOOK, "id": HOOK["id"] if name == "greeting" else HOOK["id"][::-1]})
        (hook / "hook.json").write_text(text.replace("greeting", name))
        (hook / f"{name}.jinja").write_text(SCRIPT.replace("greeting", name))
        (hook / "test.py").write_text(HOOK_TEST.replace("greeting", name))
    answers = copied.folder / "answers.yml"
    example = yaml.safe_load((ROOT / "examples" / "devops.yml").read_text("utf-8"))
    hooks = ["docsearch", "tool_routing", "lesson_search", "greeting"]
    own = {
        **example,
        "project_name": "my-hooks",
        "clients": ["claude", "acme"],
        "hooks": hooks,
        "echoes": True,
        "record_blocks": True,
    }
    answers.write_text(yaml.safe_dump(own))
    copied.run("new", copied.project, "--data-file", answers, "--no-commit")
    return copied


def test_rendered_project_passes_its_tests(tree: Tree) -> None:
    acme = tree.project / "clients" / "acme"
    assert sorted(path.name for path in acme.rglob("*.py")) == [
        "docsearch.py",
        "echo.py",
        "greeting.py",
        "lesson_search.py",
        "tool_routing.py",
    ]
    assert json.loads((acme / "acme-plugin.json").read_text())["name"] == "my-hooks"
    assert "BeforePrompt" in (acme / "hooks.json").read_text()
    tree.run("-q", "-p", "no:cacheprovider", module="pytest", cwd=tree.project)


@pytest.mark.parametrize("by", ["hookwright", "install.py"])
def test_hooks_are_installed_checked_and_uninstalled(tree: Tree, by: str) -> None:
    settings = tree.home / ".acme" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.write_bytes(SETTINGS)
    before = snapshot(tree.home)
    own = ("--project", tree.project, "--yes")
    if by == "hookwright":
        tree.run("install", "--client", "acme", "--client", "claude", *own)
        shown = tree.run("status", "--project", tree.project)
        assert ("acme" in shown, "greeting" in shown) == (True, True)
        findings = tree.examine()
        hooks = "docsearch, tool_routing, lesson_search, greeting, action_lessons, echo"
        assert ("acme", "ok", "Acme Agent 1.2.3") in findings
        assert ("acme", "ok", "up to date in the user settings of Acme Agent") in findings
        assert ("installed", "ok", f"{hooks}: up to date in the user settings") in findings
        assert ("rendered", "ok", "the hooks match the answers") in findings
        script = next((tree.home / ".acme").rglob("greeting-my-hooks.py"))
        text = script.read_text()
        script.write_text(text.replace("Hello", "Hi"))
        assert ("acme", "fault") in [finding[:2] for finding in tree.examine()]
        script.write_text(text)
    else:
        tree.run("--client", "acme", "--client", "claude", module="install", cwd=tree.project)
        tree.run("--check", "--client", "acme", module="install", cwd=tree.project)
    scripts = [path.name for path in (settings.parent / "hookwright" / "hooks").glob("*/*.py")]
    assert "greeting-my-hooks.py" in scripts
    assert "greeting-my-hooks.py" in settings.read_text()
    if by == "hookwright":
        tree.run("uninstall", *own)
    else:
        tree.run("--uninstall", module="install", cwd=tree.project)
    left = snapshot(tree.home)
    assert {path: text for path, text in left.items() if ".acme" in path or ".claude" in path} == {
        path: text for path, text in before.items() if ".acme" in path or ".claude" in path
    }
