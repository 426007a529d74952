"""The project is consistent: settings match the hooks, and no merge is unfinished."""

import re
from pathlib import Path
from typing import Any

import pytest

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
    ("file", "folder"),
    [
        ("settings.json", "${CLAUDE_CONFIG_DIR:-$HOME/.claude}/hooks/EVENT"),
        ("hooks/hooks.json", "${CLAUDE_PLUGIN_ROOT}/hooks"),
    ],
)
def test_settings_run_each_hook(
    answers: "dict[str, Any]", file: str, folder: str, read_json: Any, fail_for: Any
) -> None:
    found: dict[str, dict[str, Any]] = {}
    for event, entries in read_json(file)["hooks"].items():
        for entry in entries:
            for handler in entry["hooks"]:
                script = COMMAND.search(handler.get("command", ""))
                hook = script[2] if script else "lesson_search"
                place = folder.replace("EVENT", next(iter(EVENTS.get(hook, ())), ""))
                if handler["type"] == "http":
                    if not list_request(answers).items() <= handler.items():
                        fail_for(f"{file} does not ask the server of the answers")
                elif not script or script[1] != place:
                    fail_for(f"{file}: a command does not look for its script first")
                found.setdefault(hook, {})[event] = entry.get("matcher", "")
    if found != EVENTS:
        fail_for(f"{file} does not run the hooks of the answers")


def list_request(answers: "dict[str, Any]") -> "dict[str, Any]":
    query = f"top_k={answers['top_k']}&budget={answers['context_budget']}"
    if answers.get("min_score"):
        query += f"&min_score={answers['min_score']}"
    url = f"{answers['lesson_server_url']}/hooks/user-prompt-submit?{query}"
    return {"type": answers["transport"], "url": url, "timeout": answers["lesson_time_limit"]}


def test_names_agree(answers: "dict[str, Any]", read_json: Any, fail_for: Any) -> None:
    names = [read_json(f".claude-plugin/{file}.json")["name"] for file in ("plugin", "marketplace")]
    servers = read_json("mcp.json")["mcpServers"] if (PROJECT / "mcp.json").exists() else {}
    if [*names, servers] != [answers["project_name"]] * 2 + [answers.get("mcp_servers", {})]:
        fail_for("plugin.json, marketplace.json or mcp.json differs from the answers")


def test_no_merge_is_unfinished() -> None:
    for path in sorted(PROJECT.rglob("*")):
        name = path.relative_to(PROJECT)
        if path.suffix in SUFFIXES and not SKIPPED & set(name.parts):
            for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
                if line.startswith(("<<<<<<< before updating", ">>>>>>> after updating")):
                    problem = f"{name.as_posix()}:{number}: the merge is not finished"
                    fix = f"keep one of its two versions, then `git add {name.as_posix()}`"
                    pytest.fail(f"{problem}: {fix}", pytrace=False)
