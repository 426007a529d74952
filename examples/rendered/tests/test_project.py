"""The project is whole: settings and hooks agree, and no merge was left half done."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parent.parent
MATCHERS = {"docsearch": {"PreToolUse": "WebSearch", "SessionStart": None}}
COMMAND = re.compile(r'S="(.*)/(\w+)\.py"; \[ ! -f "\$S" \] \|\| exec ')


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ("settings.json", "${CLAUDE_CONFIG_DIR:-$HOME/.claude}/hooks/PreToolUse"),
        ("hooks/hooks.json", "${CLAUDE_PLUGIN_ROOT}/hooks"),
    ],
)
def test_settings_run_each_hook(answers: "dict[str, Any]", settings: str, folder: str) -> None:
    """The settings and the plugin run each hook of the answers, and only those, if it is there."""
    events = json.loads((PROJECT / settings).read_text("utf-8"))["hooks"]
    found: dict[str, dict[str, Any]] = {}
    for event, entries in events.items():
        for entry in entries:
            for handler in entry["hooks"]:
                script = COMMAND.search(handler["command"])
                assert script, f"{settings}: the command does not look for its script first"
                assert script[1] == folder
                assert (PROJECT / "hooks" / f"{script[2]}.py").is_file()
                found.setdefault(script[2], {})[event] = entry.get("matcher")
    assert found == {hook: MATCHERS[hook] for hook in answers["hooks"]}


def test_no_merge_is_left_half_done() -> None:
    """No file holds the markers that `copier update` leaves where it could not merge."""
    for path in sorted(PROJECT.rglob("*")):
        if ".git" in path.parts or not path.is_file() or path.suffix == ".pyc":
            continue
        for number, line in enumerate(path.read_bytes().splitlines(), start=1):
            if line.startswith((b"<<<<<<< ", b">>>>>>> ")):
                pytest.fail(
                    f"{path.relative_to(PROJECT)}:{number} has a marker of an unfinished merge: "
                    f"keep one of its two versions, then `git add {path.relative_to(PROJECT)}`",
                    pytrace=False,
                )
