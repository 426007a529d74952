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

# A hook that answers `echo N` with its answer number N, after a delay.
HOOK = """
import json, sys, time
number = json.load(sys.stdin)["tool_input"]["command"].split()[-1]
delay, output = {answers}[int(number)]
time.sleep(delay)
print(json.dumps({{"hookSpecificOutput": {{"hookEventName": "PreToolUse", **output}}}}))
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


def add_hooks(claude: Claude, *hooks: list[tuple[int, dict[str, Any]]]) -> None:
    entries = []
    for number, answers in enumerate(hooks):
        script = claude.home / f"hook{number}.py"
        script.write_text(HOOK.format(answers=answers))
        hook = {"type": "command", "command": f'"{sys.executable}" "{script}"', "timeout": 20}
        entries.append({"matcher": "Bash", "hooks": [hook]})
    assert claude.config
    claude.config.mkdir(exist_ok=True)
    settings = {"hooks": {"PreToolUse": entries}}
    (claude.config / "settings.json").write_text(json.dumps(settings))


def test_denial_overrides_another_hook(claude: Claude) -> None:
    """The slower of two denials is reported."""
    others: list[tuple[int, dict[str, Any]]] = [
        (0, {"permissionDecision": "allow"}),
        (0, {"permissionDecision": "ask"}),
        (0, {"permissionDecision": "allow", "updatedInput": {"command": "echo changed"}}),
    ]
    ours = [(0, OURS)] * len(others)
    theirs = {**DENIAL, "permissionDecisionReason": "THEIRS"}
    add_hooks(
        claude,
        [*others, *ours, (0, theirs), (1, theirs)],
        [*ours, *others, (1, OURS), (0, OURS)],
    )
    numbers = range(2 * len(others) + 2)
    run = claude.converse(
        *([Call("Bash", {"command": f"echo {n}", "description": "Say it"})] for n in numbers)
    )
    assert run.errors == [[True]] * len(numbers)
    reasons = [decision.results[0].text for decision in run.main]
    assert all("OURS" in reason for reason in reasons[: 2 * len(others)])
    denied = "PreToolUse:Bash hook error:"
    assert reasons[2 * len(others) :] == [f"{denied} OURS", f"{denied} THEIRS"]
    assert all("HINT" in decision.notes for decision in run.main)
