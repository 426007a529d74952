"""Render an example, make a few searches through its hook, and show what the agent is told."""

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

SEARCHES = [
    (
        "A search that names a documented technology is denied, once",
        "How to cache gems in GitLab CI",
    ),
    ("The identical search, repeated: it reaches the web", "How to cache gems in GitLab CI"),
    ("A search that names two of them", "deploy from gitlab-ci with kubectl"),
    ("A search that names none", "weather in Berlin tomorrow"),
    ("Only whole words count: `gl` is a keyword", "global english glossary"),
]


def main() -> int:
    """Run the demonstration; return 0."""
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "devops-hooks"
        render_example(project)
        names = sorted(str(path.relative_to(project)) for path in project.rglob("*"))
        console.print(f"Rendered [bold]{EXAMPLE.relative_to(ROOT)}[/] to:", ", ".join(names), "\n")
        for title, query in SEARCHES:
            console.rule(f"[bold]{escape(title)}")
            show_search(console, project / "hooks" / "docsearch.py", query, config=Path(folder))
    return 0


def show_search(console: Console, hook: Path, query: str, config: Path) -> None:
    """Send a search through the hook as Claude Code would, and print the answer."""
    event = {
        "session_id": "demo",
        "hook_event_name": "PreToolUse",
        "tool_name": "WebSearch",
        "tool_input": {"query": query},
    }
    console.print(f'The agent calls  [cyan]WebSearch(query="{escape(query)}")[/]')
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(hook)],
        input=json.dumps(event).encode(),
        capture_output=True,
        check=False,
        env={**os.environ, "CLAUDE_CONFIG_DIR": str(config)},
    )
    if done.returncode == 0:
        console.print("[green]let through[/], without a word\n")
        return
    told = json.loads(done.stdout)["hookSpecificOutput"]
    text = (
        f"[bold]{escape(told['permissionDecisionReason'])}[/]\n{escape(told['additionalContext'])}"
    )
    console.print(Panel(text, title="[red]denied[/]; the agent is told", title_align="left"), "")


if __name__ == "__main__":
    sys.exit(main())
