"""Render an example, make a few calls through its hooks, and show what the agent is told."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from refresh import EXAMPLE, ROOT, render_example

HOOKS = {"WebSearch": "docsearch", "WebFetch": "tool_routing", "Bash": "tool_routing"}
CALLS = [
    (
        "A search that names a documented technology is denied, once",
        "WebSearch",
        {"query": "How to cache gems in GitLab CI"},
    ),
    (
        "The identical search, repeated: it reaches the web",
        "WebSearch",
        {"query": "How to cache gems in GitLab CI"},
    ),
    (
        "A search that names two of them",
        "WebSearch",
        {"query": "deploy from gitlab-ci with kubectl"},
    ),
    (
        "Only whole words count: `gl` is a keyword",
        "WebSearch",
        {"query": "global english glossary"},
    ),
    (
        "A page that a command shows better",
        "WebFetch",
        {"url": "https://gitlab.com/group/app/-/merge_requests/12"},
    ),
    (
        "Its neighbour, the documentation",
        "WebFetch",
        {"url": "https://docs.gitlab.com/user/project/merge_requests/"},
    ),
    (
        "A command that another one does better",
        "Bash",
        {"command": 'cd app && curl -s "https://gitlab.com/api/v4/projects/1/jobs" | jq .'},
    ),
    (
        "A commit message that only mentions it",
        "Bash",
        {"command": 'git commit -m "Drop curl https://gitlab.com/api/v4/projects"'},
    ),
    (
        "A command that goes through with a warning",
        "Bash",
        {"command": "kubectl delete ns staging"},
    ),
]


def main() -> int:
    """Run the demonstration; return 0."""
    console = Console()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = folder / "devops-hooks"
        render_example(project)
        names = sorted(str(path.relative_to(project)) for path in project.rglob("*"))
        console.print(f"Rendered [bold]{EXAMPLE.relative_to(ROOT)}[/] to:", ", ".join(names), "\n")
        (folder / "glab").touch(0o700)  # which its routes require
        path = f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"
        environment = {**os.environ, "CLAUDE_CONFIG_DIR": name, "PATH": path}
        for title, tool, tool_input in CALLS:
            console.rule(f"[bold]{escape(title)}")
            show_call(
                console, project / "hooks" / f"{HOOKS[tool]}.py", tool, tool_input, environment
            )
    return 0


def show_call(
    console: Console,
    hook: Path,
    tool: str,
    tool_input: dict[str, str],
    environment: dict[str, str],
) -> None:
    """Send a call through the hook as Claude Code would, and print the answer."""
    event = {
        "session_id": "demo",
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": tool_input,
    }
    arguments = ", ".join(f"{name}={json.dumps(value)}" for name, value in tool_input.items())
    console.print(f"The agent calls  [cyan]{tool}({escape(arguments)})[/]")
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(hook)],
        input=json.dumps(event).encode(),
        capture_output=True,
        check=False,
        env=environment,
    )
    if not done.stdout:
        console.print("[green]let through[/], without a word\n")
        return
    told = json.loads(done.stdout)["hookSpecificOutput"]
    lines = [
        f"[bold]{escape(told[key])}[/]" if key.endswith("Reason") else escape(told[key])
        for key in ("permissionDecisionReason", "additionalContext")
        if key in told
    ]
    verdict = "[red]denied[/]" if done.returncode else "[green]let through[/]"
    title = f"{verdict}; the agent is told"
    console.print(Panel("\n".join(lines), title=title, title_align="left"), "")


if __name__ == "__main__":
    sys.exit(main())
