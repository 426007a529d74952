"""Write docs/clients.md: the tested behaviour of each hook in each real client, and the gaps."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hookwright.installer import registry

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
sys.path.append(str(ROOT))
PAGE = FOLDER / "clients.md"
SEEN = FOLDER / "clients.json"
INTRODUCTION = """\
# Clients

Hookwright renders the same answers for each of these clients. Each client gets its own hooks, which
read its events, name its tools, and answer in a format that its model sees.

The table shows what happened when the hooks were installed in the real client and the client talked
to a scripted model. An empty cell means that the client has no such tool.

Do not edit this page. `make clients` records `docs/clients.json`, from which
`docs/write_clients.py` generates it.
"""
# Table rows: the hook, the tested behaviour, and the statement that is true or false.
ROWS = {
    "docsearch": {
        "denied": "A search is denied, and the model is told once which tool to call",
        "tried": "`hookwright try --client` shows exactly what the model reads",
        "parallel": "Each of several parallel calls gets its own answer",
        "repeated": "The repeated search goes through",
        "subagent": "A subagent's search is also denied",
        "missing": "If the script is missing, nothing is blocked",
        "hanging": "If the script hangs, nothing is blocked",
        "garbage": "Invalid input gets no answer",
    },
    "tool_routing, fetches": {
        "denied": "A fetch is denied, and the model is told once which tool to call",
        "tried": "`hookwright try --client` shows exactly what the model reads",
        "parallel": "Each of several parallel calls gets its own answer",
        "repeated": "The repeated fetch goes through",
        "warned": "The model is warned once, and the fetch goes through",
        "subagent": "A subagent's fetch is also denied",
        "missing": "If the script is missing, nothing is blocked",
        "hanging": "If the script hangs, nothing is blocked",
    },
    "tool_routing, commands": {
        "denied": "A command is denied, and the model is told once what to run",
        "tried": "`hookwright try --client` shows exactly what the model reads",
        "called": "The model can call an MCP tool by the name in the message",
        "parallel": "Each of several parallel calls gets its own answer",
        "repeated": "The repeated command runs",
        "warned": "The model is warned once, and the command runs",
        "subagent": "A subagent's command is also denied",
        "missing": "If the script is missing, nothing is blocked",
        "hanging": "If the script hangs, nothing is blocked",
    },
    "tool_routing": {"garbage": "Invalid input gets no answer"},
    "action_lessons": {
        "told": "The model gets the lesson about a failed command once",
        "garbage": "Invalid input gets no answer",
    },
    "lesson_search": {
        "told": "The model gets the lessons for a prompt once",
        "tried": "`hookwright try --client` shows exactly what the model reads",
        "subagent": "A subagent gets the lessons for its task",
        "missing": "If the script is missing, the prompt goes through",
        "hanging": "If the script hangs, the prompt goes through",
        "garbage": "Invalid input gets no answer",
    },
    "prompt_hint": {
        "told": "The model is told once that the documentation a prompt names is on this machine",
        "tried": "`hookwright try --client` shows exactly what the model reads",
        "missing": "If the script is missing, the prompt goes through",
        "hanging": "If the script hangs, the prompt goes through",
        "garbage": "Invalid input gets no answer",
    },
    "installation": {
        "uninstalled": "Uninstalling restores the files byte for byte",
        "packaged": "The hooks work when installed as the client's own package",
    },
}
# Reasons for a client's "no" in a row.
REASONS = {
    ("action_lessons", "told"): "Its events do not report whether a command failed.",
    ("lesson_search", "subagent"): (
        "They run no hook for a subagent's task. The agent that assigns the task has the lessons."
    ),
    **{
        ("prompt_hint", what): "It accepts one text per prompt, and lessons take precedence."
        for what in ("told", "tried")
    },
}
NOTES = {
    "claude": (
        "VS Code's agent also reads Claude Code's settings, but ignores the matchers. There, each "
        "hook for calls starts at every call, and exits at once if the call is not for it. This "
        "has not been tested."
    ),
    "codex": "Its web search runs on the provider's servers, where no hook sees it.",
    "copilot": (
        "It also reads the hooks in a folder's `.claude/settings.json`. Install the hooks in only "
        "one of the two places; `hookwright doctor` reports a second copy."
    ),
    "gemini": "Its `web_fetch` has no field for a URL, so the hook looks for URLs in the prompt.",
    "opencode": "A plugin file starts the hooks, which are the same Python scripts.",
}
# If the model reads nothing before a call, a warning is delivered with the result.
WARNED_LATE = ("gemini", "qwen", "opencode")
MY = "my-hooks"
# How each client installs a project by itself, from the folder that contains my-hooks.
PACKAGES = {
    "claude": f"`claude plugin marketplace add ./{MY}` and `claude plugin install {MY}@{MY}`",
    "codex": (
        f"`codex plugin marketplace add ./{MY}/clients/codex` and `codex plugin add {MY}@{MY}`"
    ),
    "copilot": (
        f"`copilot plugin marketplace add ./{MY}/clients/copilot` and "
        f"`copilot plugin install {MY}@{MY}`"
    ),
    "gemini": f"`gemini extensions install ./{MY}/clients/gemini`",
    "qwen": f"`qwen extensions install ./{MY}/clients/qwen`",
    "opencode": f'`"plugin": ["./{MY}/clients/opencode/hookwright.js"]` in its `opencode.json`',
}
CELLS = {True: "yes", False: "no", None: ""}


def write_page() -> str:
    """Return the page."""
    from docs.write_answers import write_table

    seen = json.loads(SEEN.read_text("utf-8"))
    titles = {name: client["title"] for name, client in registry.CLIENTS.items()}
    lines, rows = [INTRODUCTION, "## What works", ""], []
    for hook, sentences in ROWS.items():
        for what, sentence in sentences.items():
            cells = [CELLS[seen.get(name, {}).get(hook, {}).get(what)] for name in titles]
            rows.append([hook, sentence, *cells])
    lines += write_table(["hook", "what happens", *titles.values()], rows)
    lines += ["", *explain_gaps(seen, titles)]
    for name, title in titles.items():
        lines += ["", f"## {title}", "", *describe_client(name)]
    return "\n".join(lines) + "\n"


def describe_client(name: str) -> Iterator[str]:
    can = registry.CLIENTS[name]["can"]
    yield f"{can[0].upper()}{can[1:]}."
    yield from ("", NOTES[name]) if name in NOTES else ()
    steps = registry.CLIENTS[name]["installation"].get("steps", {})
    if not steps:
        yield from ("", "No further steps after `hookwright install`.")
    for scope, step in steps.items():
        yield from ("", f"After `hookwright install --scope {scope}`, {step}.")
    yield from (
        "",
        f"Instead of `hookwright install`, you can use its own package: {PACKAGES[name]}.",
    )


def explain_gaps(seen: dict[str, Any], titles: dict[str, str]) -> Iterator[str]:
    for (hook, what), reason in REASONS.items():
        names = [titles[name] for name in titles if seen[name].get(hook, {}).get(what) is False]
        if names:
            yield f"- {ROWS[hook][what]}: not with {', '.join(names)}. {reason}"
    late = ", ".join(titles[name] for name in WARNED_LATE)
    yield f"- With {late}, a warning comes with the result of a call, so a failed fetch has none."


def list_gaps(seen: dict[str, Any]) -> set[tuple[str, str]]:
    gaps = {
        (hook, what)
        for rows in seen.values()
        for hook, cells in rows.items()
        for what, happened in cells.items()
        if not happened
    }
    return gaps - set(REASONS)


if __name__ == "__main__":
    page = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    page.write_text(write_page(), "utf-8")
