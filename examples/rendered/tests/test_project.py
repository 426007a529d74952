"""The project is consistent: settings match the hooks, and no merge is unfinished."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import FailFor, ReadJson

PROJECT = Path(__file__).resolve().parent.parent
SUFFIXES = {".json", ".md", ".py", ".yml"}
SKIPPED = {".git", ".venv", "node_modules", "venv"}
COMMAND = re.compile(r'S="(.*)/(\w+)\.py"; \[ ! -f "\$S" \] \|\| exec ')

# fmt: off
# Each hook's events, the main one first, with their tools.
EVENTS = {
    "action_lessons": {"PostToolUseFailure": "Bash", "PreToolUse": "Agent"},
    "docsearch": {"PreToolUse": "WebSearch", "SessionStart": ""},
    "tool_routing": {"PreToolUse": "WebFetch|Bash|PowerShell|Monitor"},
    "lesson_search": {"UserPromptSubmit": ""},
}
# fmt: on


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ("settings.json", "${CLAUDE_CONFIG_DIR:-$HOME/.claude}/hooks/EVENT"),
        ("hooks/hooks.json", "${CLAUDE_PLUGIN_ROOT}/hooks"),
    ],
)
def test_settings_run_each_hook(
    answers: "dict[str, Any]",
    settings: str,
    folder: str,
    read_json: "ReadJson",
    fail_for: "FailFor",
) -> None:
    found: dict[str, dict[str, Any]] = {}
    folders = {hook: next(iter(events)) for hook, events in EVENTS.items()}
    for event, entries in read_json(settings)["hooks"].items():
        for entry in entries:
            for handler in entry["hooks"]:
                script = COMMAND.search(handler.get("command", ""))
                hook = script[2] if script else "lesson_search"
                if handler["type"] == "http":
                    if not asks_server(handler, answers):
                        fail_for(f"{settings} does not ask the server of the answers")
                elif not script or script[1] != folder.replace("EVENT", folders.get(hook, "")):
                    fail_for(f"{settings}: a command does not look for its script first")
                found.setdefault(hook, {})[event] = entry.get("matcher", "")
    if found != EVENTS:
        fail_for(f"{settings} does not run the hooks of the answers")


def asks_server(handler: "dict[str, Any]", answers: "dict[str, Any]") -> bool:
    query = f"top_k={answers.get('top_k')}&budget={answers.get('context_budget')}"
    if answers.get("min_score"):
        query += f"&min_score={answers['min_score']}"
    url = f"{answers.get('lesson_server_url')}/hooks/user-prompt-submit?{query}"
    wanted = {"type": answers.get("transport"), "url": url}
    wanted["timeout"] = answers.get("lesson_time_limit")
    return wanted.items() <= handler.items()


def test_names_agree(answers: "dict[str, Any]", read_json: "ReadJson", fail_for: "FailFor") -> None:
    names = [read_json(f".claude-plugin/{file}.json")["name"] for file in ("plugin", "marketplace")]
    servers = read_json("mcp.json")["mcpServers"] if (PROJECT / "mcp.json").exists() else {}
    found = [*names, servers]
    if found != [answers["project_name"]] * 2 + [answers.get("mcp_servers", {})]:
        fail_for("plugin.json, marketplace.json or mcp.json differs from the answers")


def test_no_merge_is_unfinished(list_markers: "Callable[[str], list[int]]") -> None:
    left = []
    for path in sorted(PROJECT.rglob("*")):
        name = path.relative_to(PROJECT)
        if path.suffix in SUFFIXES and not SKIPPED & set(name.parts):
            numbers = list_markers(path.read_text("utf-8"))
            left += [f"{name.as_posix()}:{number}" for number in numbers]
    if left:
        file = left[0].rpartition(":")[0]
        pytest.fail(
            f"{', '.join(left)}: the merge is not finished: keep one of its two versions, then "
            f"`git add {file}`",
            pytrace=False,
        )
