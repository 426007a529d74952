"""The real client's transcripts contain each call once, and reading them does not modify them."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..support.command_line import build_environment
from ..support.installer import snapshot
from .clients.claude import DELEGATE, Claude
from .model import Call
from .routes import bash, fetch

SEARCH = Call("WebSearch", {"query": "gitlab ci cache"})
OTHER = Call("WebSearch", {"query": "weather in lisbon"})
LINEAR = fetch("https://linear.app/work/issue/W-1")


def count_calls(project: Path, config: Path) -> Any:
    words = ["try", "--corpus", "transcripts", "--json", "--project", str(project)]
    completed = subprocess.run(
        [sys.executable, "-m", "hookwright", *words],
        capture_output=True,
        check=True,
        env=build_environment(CLAUDE_CONFIG_DIR=str(config)),
    )
    return json.loads(completed.stdout)


def test_calls_in_a_session_are_counted_exactly(claude: Claude, both: Path) -> None:
    run = claude.converse(
        [SEARCH, LINEAR, bash("echo gitlab")],
        [OTHER, SEARCH],
        [DELEGATE],
        [bash("true")],
        subagent_script=[[Call("WebSearch", {"query": "k8s"}), bash("echo sub")], [SEARCH]],
    )
    assert len(run.web) == 5  # no hook is installed yet, so all searches reach the web
    assert claude.config
    before = snapshot(claude.config)
    counts = count_calls(both, claude.config)
    assert counts["tools"] == {"WebSearch": 5, "Bash": 3, "WebFetch": 1}
    assert counts["does"] == {"deny": 5, "warn": 0, "allow": 4}
    fired = {record["record"]: record["on"] for record in counts["records"] if record["fired"]}
    assert fired == {
        "gitlab": {"gitlab": 3},
        "kubernetes": {"k8s": 1},
        "linear": {"linear.app/work/issue": 1},
    }
    assert counts["errors"] == {}
    assert snapshot(claude.config) == before


def test_resumed_session_repeats_no_call(claude: Claude, both: Path) -> None:
    script = [[SEARCH, bash("true")], [], [OTHER]]
    claude.converse(*script)
    replace(claude, options=("--continue", "--fork-session")).converse(*script)
    assert claude.config
    assert len(list(claude.config.glob("projects/*/*.jsonl"))) == 2
    assert count_calls(both, claude.config)["tools"] == {"WebSearch": 2, "Bash": 1}
