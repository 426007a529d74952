"""Render an example, run calls and a prompt through its hooks, and show what the agent reads."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from .recorded_lessons import read_recorded, repeat_answer
from .refresh import EXAMPLE, ROOT, render_example
from .small_index import PAGE, RECORD, write_index

NEXT = """\
Make your own, from this checkout (or see README.md):
  pipx install '.[docs]'
  hookwright new my-hooks"""


@dataclass(frozen=True)
class Scene:
    """A step of an agent, and the first hook that receives it.

    Args:
        hook: The hook's name.
        said: A description of the agent's step, for the viewer.
        event: The hook's event, without the common fields.
        note: An additional explanation for the viewer.

    """

    hook: str
    said: str
    event: Mapping[str, Any]
    note: str = ""


def build_scenes(prompt: str) -> list[Scene]:
    """Return the scenes of each hook."""
    query, asked = "How do I sign a cookie in acme?", "How long does a session last?"
    url = "https://gitlab.com/group/app/-/merge_requests/12"
    return [
        Scene("docsearch", f'WebSearch("{query}")', build_call("WebSearch", query=query)),
        Scene(
            "docsearch",
            f'WebFetch("{PAGE}", "{asked}")',
            build_call("WebFetch", url=PAGE, prompt=asked),
            "both from a small index in the tables of a real one",
        ),
        Scene("tool_routing", f'WebFetch("{url}")', build_call("WebFetch", url=url)),
        Scene(
            "lesson_search",
            f"The user asks: {prompt}",
            {"hook_event_name": "UserPromptSubmit", "prompt": prompt},
            "recorded from the real server, and repeated by a small stand-in",
        ),
    ]


def build_call(tool: str, **tool_input: str) -> dict[str, Any]:
    return {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": tool_input}


def main() -> int:
    """Run the demonstration; return 0."""
    console = Console()
    recorded = read_recorded()
    with tempfile.TemporaryDirectory() as name, repeat_answer(recorded["answer"]) as url:
        folder = Path(name)
        project = folder / "devops-hooks"
        console.print(f"Rendering [bold]{EXAMPLE.relative_to(ROOT)}[/] ...")
        render_example(project, lesson_server_url=url, databases=[RECORD])
        write_index(folder / "docs")
        (folder / "glab").touch(0o700)  # the demonstration's routes require this command
        path = f"{folder}{os.pathsep}{os.environ.get('PATH', '')}"
        environment = {
            **os.environ,
            "CLAUDE_CONFIG_DIR": name,
            "HOOKWRIGHT_DOCS": f"{folder}/docs",
            "PATH": path,
        }
        for scene in build_scenes(recorded["prompt"]):
            show(console, scene, run_hook(project, scene, environment))
    console.print(NEXT, highlight=False, markup=False)
    return 0


def run_hook(
    project: Path, scene: Scene, environment: Mapping[str, str]
) -> "subprocess.CompletedProcess[bytes]":
    """Send a scene's event through its hook, as Claude Code would."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(project / "hooks" / f"{scene.hook}.py")],
        input=json.dumps({"session_id": "demo", **scene.event}).encode(),
        capture_output=True,
        check=False,
        env=environment,
    )


def show(console: Console, scene: Scene, answer: "subprocess.CompletedProcess[bytes]") -> None:
    output = json.loads(answer.stdout)["hookSpecificOutput"]
    verdict = "[red]denied[/]; the agent is told:" if answer.returncode else "the agent gets:"
    reason = [f"[bold]{escape(output[key])}[/]" for key in output if key.endswith("Reason")]
    context = [escape(output["additionalContext"])] if "additionalContext" in output else []
    note = ["", f"[dim]({escape(scene.note)})[/]"] if scene.note else []
    lines = [f"[cyan]{escape(scene.said)}[/]", verdict, "", *reason, *context, *note]
    console.print(Panel("\n".join(lines), title=f"[bold]{scene.hook}[/]", title_align="left"))


def run() -> int:
    """Run the demonstration and return its exit code; on Ctrl-C, print one line."""
    try:
        return main()
    except KeyboardInterrupt:
        print("demo: stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(run())
