"""Run the hooks that the client would run, and read what the agent would get."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright.clients.claude.matchers import covers
from hookwright.project.hook_tables import read_tables
from hookwright.project.reader import Project
from hookwright.simulate.trust import TOKEN, check_hook, find_token
from hookwright_console.errors import RefusedError
from hookwright_console.regular_files import read_regular

DENIED = 2  # the exit code
SETTINGS = "hooks/hooks.json"
WAITING = 5.0  # seconds, for a handler without a timeout
SCRIPT = re.compile(r"/(\w+)\.py\b")


@dataclass(frozen=True)
class Handler:
    """A hook handler of the client: a script to run, or a server to ask.

    Args:
        name: The name of the hook.
        matcher: The tools it handles; "" for all.
        script: The script to run, or None to ask the server.
        url: The URL of the server, or "".
        headers: The headers of the request to the server.
        patience: The seconds that the client waits for it.
        token: The token that the script may send to a lesson server, or "".

    """

    name: str
    matcher: str
    script: Path | None
    url: str
    headers: Mapping[str, str]
    patience: float
    token: str = ""

    def covers(self, tool: str) -> bool:
        """Tell whether it handles a tool."""
        return covers(self.matcher, tool)


@dataclass(frozen=True)
class Told:
    """What a hook tells the agent.

    Args:
        denied: Whether the call is denied.
        reason: The reason for a denial, which the agent gets as the error of its call.
        context: Additional context for the agent.
        notes: How the hook explains its decision, in debug mode.

    """

    denied: bool = False
    reason: str = ""
    context: str = ""
    notes: tuple[str, ...] = ()


def find_handlers(project: Project, event: str) -> list[Handler]:
    """Return the handlers that the client runs at an event when a project is installed.

    Args:
        project: The project.
        event: The event, such as PreToolUse.

    Raises:
        RefusedError: The project's settings or a hook are missing, unreadable or untrusted.

    """
    path = project.folder / SETTINGS
    try:
        entries = json.loads(read_regular(path))["hooks"].get(event, [])
        found = [
            read_handler(project, str(entry.get("matcher", "")), handler)
            for entry in entries
            for handler in entry["hooks"]
        ]
    except OSError as error:
        raise RefusedError(f"cannot read {path} ({error.strerror}): restore it from git") from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise RefusedError(f"{path} is not as it was rendered: restore it from git") from None
    for handler in found:
        if handler.script and not handler.script.is_file():
            raise RefusedError(f"{handler.script} is missing: restore it from git")
        if handler.script:
            content = read_regular(handler.script)
            check_hook(handler.name, content, project.answers, project.folder)
    return found


def read_handler(project: Project, matcher: str, handler: Mapping[str, Any]) -> Handler:
    """Return a handler of the settings; raise LookupError or TypeError if it is malformed."""
    patience = float(handler.get("timeout", WAITING))
    if handler["type"] == "http" and handler["url"].startswith(("http://", "https://")):
        token = find_token(project, handler["url"])
        headers = {
            name: value.replace(f"${TOKEN}", token)  # no other variable is substituted
            for name, value in handler.get("headers", {}).items()
        }
        return Handler("lesson_search", matcher, None, handler["url"], headers, patience)
    found = SCRIPT.search(handler["command"])
    if not found:
        raise LookupError(handler["command"])
    script = project.find_hook(found[1])
    server = read_tables(script).get("SERVER")
    token = find_token(project, f"http://{server}") if server else ""
    return Handler(found[1], matcher, script, "", {}, patience, token)


def find_interpreter() -> str:
    """Return the interpreter that the client runs hooks with; this one without python3."""
    return shutil.which("python3") or sys.executable


def run_hook(handler: Handler, event: str, *, explains: bool = False) -> Told:
    """Run a hook on an event as the client does, except that the hook remembers nothing.

    Args:
        handler: The handler.
        event: The event as JSON.
        explains: Whether the hook should explain its decision.

    Raises:
        RefusedError: The hook cannot be run, takes too long, or gives an invalid answer.

    """
    if handler.script is None:
        return ask_lesson_server(handler, event)
    debug = {"HOOKWRIGHT_DEBUG": "1"} if explains else {}
    with tempfile.TemporaryDirectory(prefix="hookwright-") as config:
        try:
            ended = subprocess.run(  # noqa: S603 - the project's own, as the client runs it
                [find_interpreter(), "-I", "-S", str(handler.script)],
                cwd=Path.home(),  # a file in the current folder may redirect a shim
                input=event.encode(),
                capture_output=True,
                check=False,
                timeout=handler.patience,
                env={**os.environ, "CLAUDE_CONFIG_DIR": config, TOKEN: handler.token, **debug},
            )
        except subprocess.TimeoutExpired:
            raise RefusedError(
                f"{handler.script} takes more than {handler.patience:g} seconds, so the client "
                "goes on without it: look for a pattern that backtracks"
            ) from None
    said = ended.stderr.decode("utf-8", "replace").splitlines()
    if ended.returncode not in {0, DENIED} or (ended.returncode and not ended.stdout):
        last = said[-1] if said else f"exit code {ended.returncode}"
        raise RefusedError(f"{handler.script} fails ({last}): restore it from git")
    notes = [line.removeprefix("hookwright: ") for line in said if line.startswith("hookwright: ")]
    return read_output(ended.stdout, handler.name, tuple(notes))


def read_output(output: bytes, hook: str, notes: tuple[str, ...] = ()) -> Told:
    """Return what the output of a hook tells the agent.

    Raises:
        RefusedError: The client cannot read the output.

    """
    try:
        answer = json.loads(output.decode() or "{}").get("hookSpecificOutput", {})
        return Told(
            answer.get("permissionDecision") == "deny",
            str(answer.get("permissionDecisionReason", "")),
            str(answer.get("additionalContext", "")),
            notes,
        )
    except (ValueError, AttributeError, RecursionError):
        raise RefusedError(f"{hook} answers {output[:60]!r}, which the client ignores") from None


def ask_lesson_server(handler: Handler, event: str) -> Told:
    """Send an event to a server as the client does, but never to a server of another user.

    Raises:
        RefusedError: The server gives an invalid answer.

    """
    # Only hooks of the type http need it, and it takes longer to import than to run the others.
    from hookwright.web.posting import UnansweredError, post_json

    try:
        answer = post_json(handler.url, event, handler.headers, handler.patience)
    except UnansweredError as error:
        return Told(notes=(str(error),))
    return read_output(answer, handler.name)
