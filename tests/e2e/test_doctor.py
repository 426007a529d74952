"""The assumptions of `doctor` match the real client's behaviour."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ..support.project import ROOT
from .clients.claude import Claude
from .model import Call

LEANN_SHAPED = ROOT / "tests" / "support" / "fake_leann.py"
DENIAL = {"permissionDecision": "deny"}
OURS = {**DENIAL, "permissionDecisionReason": "OURS", "additionalContext": "HINT"}
BASH = Call("Bash", {"command": "echo original", "description": "Say it"})

HOOK = """
import json, sys, time
json.load(sys.stdin)
time.sleep({delay})
print(json.dumps({{"hookSpecificOutput": {{"hookEventName": "PreToolUse", **{output}}}}}))
"""


def ask_doctor(claude: Claude, project: Path, *options: str) -> list[dict[str, str]]:
    binaries = os.pathsep.join([str(claude.binary.parent), os.environ["PATH"]])
    completed = subprocess.run(
        [sys.executable, "-m", "hookwright", "doctor", "--json", "--project", project, *options],
        stdout=subprocess.PIPE,
        check=False,
        cwd=claude.home / "work",
        env={**claude.environment, "PATH": binaries},
    )
    findings: list[dict[str, str]] = json.loads(completed.stdout)
    return findings


@pytest.mark.parametrize("scope", ["user", "local"])
def test_server_added_by_the_client_is_queried(claude: Claude, my_hooks: Path, scope: str) -> None:
    server = ["leann", "--scope", scope, "-e", "A=b", "--", sys.executable, str(LEANN_SHAPED)]
    assert claude.run("mcp", "add", *server).returncode == 0
    lines = {hook["line"]: hook["status"] for hook in ask_doctor(claude, my_hooks)}
    line = (
        "mcp__leann__search does not exist: the server leann has leann_search, leann_list, "
        "leann_build, leann_status: run hookwright edit gitlab"
    )
    assert lines[line] == "fault"
    assert any(line.startswith("Claude Code 2.") for line in lines)


def test_folder_server_waits_for_approval(claude: Claude, my_hooks: Path) -> None:
    touched = claude.home / "touched"
    added = claude.run(
        "mcp", "add", "leann", "--scope", "project", "--", "/usr/bin/touch", str(touched)
    )
    assert added.returncode == 0
    assert "Pending approval" in claude.run("mcp", "list").stdout
    findings = [hook for hook in ask_doctor(claude, my_hooks) if hook["check"] == "tools"]
    assert [match["status"] for match in findings] == ["warn"]
    assert not touched.exists()


def test_installed_hooks_pass_the_check(claude: Claude, my_hooks: Path) -> None:
    claude.install_settings(my_hooks)
    findings = {hook["check"]: hook for hook in ask_doctor(claude, my_hooks, "--no-start")}
    for check in ("installed", "other hooks", "rendered", "settings", "client"):
        assert findings[check]["status"] == "ok", findings[check]


def add_hooks(claude: Claude, *outputs: tuple[float, dict[str, Any]]) -> None:
    entries = []
    for number, (delay, output) in enumerate(outputs):
        script = claude.home / f"hook{number}.py"
        script.write_text(HOOK.format(delay=delay, output=output))
        hook = {"type": "command", "command": f'"{sys.executable}" "{script}"', "timeout": 20}
        entries.append({"matcher": "Bash", "hooks": [hook]})
    assert claude.config
    claude.config.mkdir(exist_ok=True)
    settings = {"hooks": {"PreToolUse": entries}}
    (claude.config / "settings.json").write_text(json.dumps(settings))


@pytest.mark.parametrize(
    "other",
    [
        {"permissionDecision": "allow"},
        {"permissionDecision": "ask"},
        {"permissionDecision": "allow", "updatedInput": {"command": "echo changed"}},
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_denial_overrides_another_hook(
    claude: Claude, other: dict[str, Any], *, first: bool
) -> None:
    hooks = [(0.0, other), (0.0, OURS)]
    add_hooks(claude, *(hooks if first else reversed(hooks)))
    (decision,) = claude.converse([BASH]).main
    assert decision.errors == [True]
    assert "OURS" in decision.results[0].text
    assert "HINT" in decision.notes


@pytest.mark.parametrize(("delays", "reason"), [((0, 1), "OURS"), ((1, 0), "THEIRS")])
def test_slower_denial_is_reported(claude: Claude, delays: tuple[int, int], reason: str) -> None:
    theirs = {**DENIAL, "permissionDecisionReason": "THEIRS"}
    add_hooks(claude, (delays[0], theirs), (delays[1], OURS))
    (decision,) = claude.converse([BASH]).main
    assert decision.results[0].text == f"PreToolUse:Bash hook error: {reason}"
    assert "HINT" in decision.notes
