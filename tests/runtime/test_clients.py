"""A hook accesses its client only through the client modules."""

import shutil
from pathlib import Path

import pytest

from ..support.project import GITLAB, PULL_REQUEST, ROOT, URL, render, run_hook

RUNTIME = ROOT / "generator" / "runtime"
OF_A_CLIENT = {
    *("PreToolUse", "SessionStart", "UserPromptSubmit", "WebSearch", "WebFetch", '"Bash"'),
    *("ToolSearch", "hookSpecificOutput", "permissionDecision", "permission_mode"),
    *("CLAUDE_CONFIG_DIR", "COPILOT_CLI", "additionalContext"),
}
OTHER_CLIENT = '''\
# --- rendered as calls ---

CALL, START = "before", "start"
SEARCH, FETCH, SHELL = "look_up", "get", "run"
LOADING = "Load %s."


def read_event(raw):
    """Return an event."""
    import json

    event = json.loads(raw)
    return {"hook_event_name": event["on"], "tool_name": event["name"], "tool_input": event["args"]}


def print_decision(decision, raw):
    """Tell a decision."""
    print(*decision, sep="|", flush=True)
    return 0
'''


HOOKS = [path for path in ROOT.glob("generator/hooks/*/*.py") if path.name != "test.py"]


def test_decision_code_contains_no_client_terms() -> None:
    for module in sorted([*RUNTIME.glob("*.py"), *HOOKS]):
        _, _, code = module.read_text("utf-8").partition("# --- rendered ")
        # The lesson server's answer has one fixed format, which the hook checks.
        lines = [line for line in code.splitlines() if not line.startswith("OPENING = ")]
        assert [line for line in lines if any(word in line for word in OF_A_CLIENT)] == []


@pytest.fixture
def other_client(template: Path, tmp_path: Path) -> Path:
    copied = Path(shutil.copytree(template, tmp_path / "template"))
    path = copied / "generator" / "runtime" / "dialects" / "claude.py"
    before, _, code = path.read_text("utf-8").partition("# --- rendered as calls ---")
    _, marker, after = code.partition("\n\n\n# --- rendered as folder ---")
    path.write_text(before + OTHER_CLIENT + marker + after, "utf-8")
    routes = {"pr": {**PULL_REQUEST, "tool": "get"}}
    return render(copied, tmp_path / "my-hooks", databases=[GITLAB], routes=routes)


CALLS = {
    "docsearch": (
        {"on": "before", "name": "look_up", "args": {"query": "gitlab"}},
        "Load mcp__leann__search. The identical look_up again reaches the web.",
    ),
    "tool_routing": (
        {"on": "before", "name": "get", "args": {"url": URL}},
        "Run: gh pr view 42 --repo octo/hello|\n",
    ),
}


@pytest.mark.parametrize("hook", CALLS)
def test_new_client_is_a_new_module(other_client: Path, config: Path, hook: str) -> None:
    event, expected = CALLS[hook]
    answer = run_hook(other_client / "hooks" / f"{hook}.py", event, config)
    assert (answer.code, answer.stderr) == (0, "")
    assert expected in answer.stdout
