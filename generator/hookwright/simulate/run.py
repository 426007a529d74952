"""Run what the client would run for a call or a prompt, and read what the agent would get."""

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
from hookwright_console.peers import OtherUserError
from hookwright_console.regular_files import read_regular

DENIED = 2  # the exit code
SETTINGS = "hooks/hooks.json"
WAITING = 5.0  # seconds, where a handler says nothing else
LARGEST = 1_000_000  # bytes of a server's answer
SCRIPT = re.compile(r"/(\w+)\.py\b")


@dataclass(frozen=True)
class Handler:
    """What the client does at an event.

    Args:
        name: What the hook is called.
        matcher: Which tools it is asked about; "" for all.
        script: The hook that is run, or None where a server is asked.
        url: The server.
        headers: What the request to it has besides.
        patience: After how many seconds the client goes on.
        token: What a hook may tell a lesson server, or "".

    """

    name: str
    matcher: str
    script: Path | None
    url: str
    headers: Mapping[str, str]
    patience: float
    token: str = ""

    def covers(self, tool: str) -> bool:
        """Tell whether it is asked about a tool."""
        return covers(self.matcher, tool)


@dataclass(frozen=True)
class Told:
    """What the agent is told.

    Args:
        denied: Whether its call is denied.
        reason: Why, which it gets as the error of its call.
        context: What it gets besides.
        notes: What the hook says of how that came about.

    """

    denied: bool = False
    reason: str = ""
    context: str = ""
    notes: tuple[str, ...] = ()


def find_handlers(project: Project, event: str) -> list[Handler]:
    """Return what the client does at an event when a project is installed.

    Args:
        project: The project.
        event: Such as PreToolUse.

    Raises:
        RefusedError: The project's settings or a hook are missing, cannot be read, or are not to be
            trusted.

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
        raise RefusedError(
            f"{path} cannot be read ({error.strerror}): take it back from git"
        ) from (None)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise RefusedError(f"{path} is not as it was rendered: take it back from git") from None
    for handler in found:
        if handler.script and not handler.script.is_file():
            raise RefusedError(f"{handler.script} is missing: take it back from git")
        if handler.script:
            content = read_regular(handler.script)
            check_hook(handler.name, content, project.answers, project.folder)
    return found


def read_handler(project: Project, matcher: str, handler: Mapping[str, Any]) -> Handler:
    """Return a handler of the settings; raises LookupError or TypeError where it is none."""
    patience = float(handler.get("timeout", WAITING))
    if handler["type"] == "http" and handler["url"].startswith(("http://", "https://")):
        token = find_token(project, handler["url"])
        headers = {
            name: value.replace(f"${TOKEN}", token)  # of all variables it is given no other
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
    """Return the interpreter that the client runs hooks by, or else this one."""
    return shutil.which("python3") or sys.executable


def run_hook(handler: Handler, event: str, *, explains: bool = False) -> Told:
    """Run a hook on an event as the client does; only, what it remembers goes nowhere.

    Args:
        handler: What runs the hook, or asks the server.
        event: The event as JSON.
        explains: Whether it is to say how its decision came about.

    Raises:
        RefusedError: It cannot be run, takes too long, or answers otherwise than agreed.

    """
    if handler.script is None:
        return ask_server(handler, event)
    debug = {"HOOKWRIGHT_DEBUG": "1"} if explains else {}
    with tempfile.TemporaryDirectory(prefix="hookwright-") as config:
        try:
            ended = subprocess.run(  # noqa: S603 - the project's own, as the client runs it
                [find_interpreter(), "-I", "-S", str(handler.script)],
                cwd=Path.home(),  # a shim may be led elsewhere by a file of the current folder
                input=event.encode(),
                capture_output=True,
                check=False,
                timeout=handler.patience,
                env={**os.environ, "CLAUDE_CONFIG_DIR": config, TOKEN: handler.token, **debug},
            )
        except subprocess.TimeoutExpired:
            raise RefusedError(
                f"{handler.script} takes more than {handler.patience:g} seconds, and the client "
                "goes on without it: look for a pattern that backtracks"
            ) from None
    said = ended.stderr.decode("utf-8", "replace").splitlines()
    if ended.returncode not in {0, DENIED} or (ended.returncode and not ended.stdout):
        last = said[-1] if said else f"exit code {ended.returncode}"
        raise RefusedError(f"{handler.script} fails ({last}): take it back from git")
    notes = [line.removeprefix("hookwright: ") for line in said if line.startswith("hookwright: ")]
    return read_output(ended.stdout, handler.name, tuple(notes))


def read_output(output: bytes, hook: str, notes: tuple[str, ...] = ()) -> Told:
    """Return what the agent is told by the output of a hook.

    Raises:
        RefusedError: It is not in the form that the client reads.

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


def ask_server(handler: Handler, event: str) -> Told:
    """Send an event to a server as the client does, but to none of another user's.

    Raises:
        RefusedError: It answers otherwise than agreed.

    """
    import http.client
    import urllib.error
    import urllib.request

    from hookwright.web.connections import ConnectionHandler
    from hookwright.web.openers import build_opener

    headers = {"Content-Type": "application/json", **handler.headers}
    request = urllib.request.Request(handler.url, event.encode(), headers)  # noqa: S310 - http
    try:
        opener = build_opener(ConnectionHandler())
        with opener.open(request, timeout=handler.patience) as answer:
            return read_output(answer.read(LARGEST), handler.name)
    except urllib.error.HTTPError as error:
        error.close()
        return Told(notes=(f"{handler.url} answers {error.code}",))
    except urllib.error.URLError as error:
        return Told(notes=(f"{handler.url} cannot be asked: {error.reason}",))
    except (OSError, ValueError, http.client.HTTPException, OtherUserError) as error:
        return Told(notes=(f"{handler.url} cannot be asked: {error}",))
