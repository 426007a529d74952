"""Tool calls and prompt events, as recorded from each client."""

from pathlib import Path
from typing import Any

from .project import PULL_REQUEST, Answer, run_hook

SESSION = "3f0c1d6e-8a52-4c59-9d3c-5a3c0c1d6e8a"
OTHERS = ("codex", "copilot", "gemini", "qwen", "opencode")  # all clients except Claude Code
# The variable for each client's folder, and the path of the hook files in that folder.
FOLDERS = {
    "codex": ("CODEX_HOME", "hookwright"),
    "copilot": ("COPILOT_HOME", "hookwright"),
    "gemini": ("GEMINI_CLI_HOME", ".gemini/hookwright"),
    "qwen": ("QWEN_HOME", "hookwright"),
    "opencode": ("XDG_CONFIG_HOME", "opencode/hookwright"),
}
# Fields that a client sends before a call, in addition to the tool.
BEFORE: dict[str, dict[str, Any]] = {
    "codex": {
        "session_id": SESSION,
        "turn_id": "1",
        "cwd": "/src/gitlab",
        "hook_event_name": "PreToolUse",
        "permission_mode": "default",
        "tool_use_id": "call_1",
    },
    "copilot": {"hook_event_name": "PreToolUse", "session_id": SESSION, "cwd": "/src/gitlab"},
    "gemini": {"session_id": SESSION, "cwd": "/src/gitlab", "hook_event_name": "BeforeTool"},
    "qwen": {
        "session_id": SESSION,
        "cwd": "/src/gitlab",
        "hook_event_name": "PreToolUse",
        "prompt_id": "1",
        "tool_use_id": "call_1",
        "tool_call_id": "call_1",
    },
    "opencode": {
        "hook_event_name": "tool.execute.before",
        "session_id": SESSION,
        "cwd": "/src/gitlab",
    },
}
AFTER = {"gemini": "AfterTool", "qwen": "PostToolUse"}  # events that deliver a pending warning
PROMPTS = {"gemini": "BeforeAgent", "opencode": "chat.message"}  # default: UserPromptSubmit
TOOLS = {
    "codex": ("", "", "Bash"),
    "copilot": ("WebSearch", "WebFetch", "Bash"),
    "gemini": ("google_web_search", "web_fetch", "run_shell_command"),
    "qwen": ("", "web_fetch", "run_shell_command"),
    "opencode": ("websearch", "webfetch", "bash"),
}
SPOKEN = {"copilot": ("web_search", "web_fetch", "bash")}  # the tool names its model uses
SEARCHING = [client for client in OTHERS if TOOLS[client][0]]
FETCHING = [client for client in OTHERS if TOOLS[client][1]]
# One route of each kind.
EVERY_KIND: dict[str, dict[str, Any]] = {
    "github-pr": PULL_REQUEST,
    "docs": {
        "pattern": r"docs\.example",
        "message": "All of this site is on this machine, in a folder for grep to search: "
        "grep -ri WORDS /usr/share/doc/example",
        "action": "warn",
    },
    "wiki": {"pattern": r"wiki\.example", "message": "Call mcp__wiki__get_page", "once": True},
    "push": {"tool": "Bash", "pattern": "git push --force", "message": "Use --force-with-lease"},
    "clean": {"tool": "Bash", "pattern": "git clean", "message": "This deletes", "action": "warn"},
    "intranet": {"tool": "mcp__.*fetch.*", "pattern": "intranet", "message": "Use the proxy"},
    "page": {"tool": "mcp__web__get", "pattern": "intranet", "message": "Use the proxy"},
}


def call(client: str, tool: str, tool_input: object, **fields: object) -> dict[str, Any]:
    return {**BEFORE[client], "tool_name": tool, "tool_input": tool_input, **fields}


def search(client: str, query: object, **fields: object) -> dict[str, Any]:
    return call(client, TOOLS[client][0], {"query": query}, **fields)


def fetch(client: str, url: str, **fields: object) -> dict[str, Any]:
    """Return the event sent before a URL is fetched; Gemini CLI puts the URL in a prompt."""
    tool_input = {"prompt": f"summarize {url} please"} if client == "gemini" else {"url": url}
    return call(client, TOOLS[client][1], tool_input, **fields)


def run(client: str, command: str, **fields: object) -> dict[str, Any]:
    return call(client, TOOLS[client][2], {"command": command}, **fields)


def finish(event: dict[str, Any], client: str) -> dict[str, Any]:
    return {**event, "hook_event_name": AFTER[client], "tool_response": {"output": "done"}}


def prompt(client: str, text: str, **fields: object) -> dict[str, Any]:
    name = PROMPTS.get(client, "UserPromptSubmit")
    return {"session_id": SESSION, "cwd": "/src", "hook_event_name": name, "prompt": text, **fields}


def ask(project: Path, client: str, hook: str, event: object, folder: Path) -> Answer:
    script = project / "clients" / client / "hooks" / f"{hook}.py"
    variable, _ = FOLDERS[client]
    return run_hook(script, event, folder / "claude", **{variable: str(folder)})
