"""Run the hooks that the client would run, if they are trusted, and explain what they print."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hookwright.clients.claude.settings import find_config_folder
from hookwright.clients.claude.tool_names import BEFORE_CALL, covers
from hookwright.clients.dialects import CLAUDE, Dialect, read_dialects
from hookwright.hooks.registry import HOOKS
from hookwright.installer import files
from hookwright.installer.entries import COMPANIONS, name_hook
from hookwright.lesson_server import (
    FORBIDDEN,
    TOKEN,
    UNAUTHORIZED,
    explain_failure,
    format_refusal,
)
from hookwright.project.installer import list_trusted_urls, read_handlers, read_lesson_url
from hookwright.project.reader import Project
from hookwright.project.rendered_hooks import read_tables, render_hook
from hookwright.template.store import is_newest
from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.files.regular import read_regular
from hookwright_console.network.addresses import find_origin
from hookwright_console.network.http_client import NotHttpError, UnreachableError, ask
from hookwright_console.network.peers import OtherUserError, is_loopback
from hookwright_console.text import shorten

DENIED = 2  # exit code of a denial
SUCCESS = range(200, 300)  # HTTP statuses
HANDLERS = re.compile(r"^const HANDLERS = (\{.*?^\});", re.MULTILINE | re.DOTALL)  # in a plugin
WAITING = 5.0  # seconds for a handler without a timeout
TIME_LIMIT = 30.0  # seconds for a hook that is not installed
SCRIPT = re.compile(r"(?:/|^)(\w+)\.py\b")
DECIDING = {hook.name for hook in HOOKS if hook.events[0] == BEFORE_CALL}
EXPLAIN_LIMIT = 5.0  # seconds
OK = 200
MALFORMED = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
OBSTACLES = {
    "short": "it has fewer than 10 characters",
    "slash command": "it is a slash command",
    "shell command": "it is a shell command",
    "memory note": "it is a note for the agent's memory",
    "client's own": "it comes from the client, not the user",
}

Why = Literal["ruled out", "no server", "refused", "embedder down", "empty", "unlike", "given"]


@dataclass(frozen=True)
class Handler:
    """A hook handler of the client: a script to run, or a server to query."""

    name: str  # name of the hook
    matcher: str  # the tools it handles; "" for all
    script: Path | None  # None to query the server
    url: str  # the server's URL, or ""
    headers: Mapping[str, str]
    patience: float  # seconds that the client waits
    token: str = ""  # token that the script may send to a lesson server, or ""
    client: str = CLAUDE

    def covers(self, tool: str) -> bool:
        """Return whether the handler covers a tool, by its name in the answers."""
        return covers(self.matcher, read_dialects()[self.client].name_tool(tool))


@contextmanager
def writing_hook(script: bytes, name: str) -> Iterator[Handler]:
    """Yield the handler of a rendered, trusted hook, written to a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="hookwright-") as folder:
        path = Path(folder, "hook.py")
        path.write_bytes(script)
        yield Handler(name, "", path, "", {}, TIME_LIMIT)


@dataclass(frozen=True)
class HookDecision:
    """A hook's message to the agent."""

    denied: bool = False
    reason: str = ""  # for a denial: the agent receives it as the call's error
    context: str = ""
    notes: tuple[str, ...] = ()  # the hook's debug-mode explanation


def find_handlers(project: Project, event: str, client: str = CLAUDE) -> list[Handler]:
    """Return the handlers that a client with an installed project runs for an event.

    For events of tool calls, only handlers of hooks that decide about calls are returned. Settings
    and hooks that are missing, unreadable or untrusted are rejected.
    """
    dialect = read_dialects()[client]
    path = project.folder / dialect.settings
    try:
        entries = read_entries(read_regular(path).decode(), dialect).get(event, [])
        found = [
            read_handler(project, str(entry.get("matcher", "")), handler, dialect)
            for entry in entries
            for handler in entry["hooks"]
        ]
    except OSError as error:
        raise RefusedError(f"cannot read {path} ({error.strerror}): restore it from git") from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise RefusedError(f"{path} differs from what was rendered: restore it from git") from None
    for script in filter(None, (handler.script for handler in found)):
        if not script.is_file():
            raise RefusedError(f"{script} is missing: restore it from git")
        loaded = script.with_name(f"{COMPANIONS.get(script.stem, script.stem)}.py")
        for path in dict.fromkeys([script, loaded]):
            if path.is_file():
                check_hook(name_hook(path), read_regular(path), project, client)
    if event not in {dialect.call, dialect.after}:
        return found
    return [handler for handler in found if handler.name in DECIDING]


def read_entries(text: str, dialect: Dialect) -> dict[str, list[dict[str, Any]]]:
    if not dialect.plugin:
        return dict(json.loads(text)["hooks"])
    found = HANDLERS.search(text)
    handlers = json.loads(found[1]) if found else {}
    return {
        event: [
            {
                "matcher": f"^(?:{handler['tools']})$" if "tools" in handler else "",
                "hooks": [{"type": "command", "command": handler["script"], **handler}],
            }
            for handler in handlers[event]
        ]
        for event in handlers
    }


def read_handler(
    project: Project, matcher: str, handler: Mapping[str, Any], dialect: Dialect
) -> Handler:
    """Return a handler from the settings; raises LookupError or TypeError if it is malformed."""
    timeout = handler.get("timeout")
    patience = WAITING if timeout is None else float(timeout) / dialect.second
    if handler["type"] == "http" and handler["url"].startswith(("http://", "https://")):
        token = find_token(handler["url"])
        headers = {
            name: value.replace(f"${TOKEN}", token)  # no other variable is substituted
            for name, value in handler.get("headers", {}).items()
        }
        url = handler["url"]
        return Handler("lesson_search", matcher, None, url, headers, patience, client=dialect.name)
    found = SCRIPT.search(handler["command"])
    if not found:
        raise LookupError(handler["command"])
    script = project.folder / dialect.scripts / f"{found[1]}.py"
    token = find_token(read_lesson_url(read_tables(script)))
    return Handler(found[1], matcher, script, "", {}, patience, token, dialect.name)


def find_interpreter() -> str:
    """Return the interpreter that the client runs hooks with, or this one if python3 is missing."""
    return shutil.which("python3") or sys.executable


def copy_script(script: Path, folder: str) -> Path:
    """Copy a checked hook and the module it loads to a folder with nothing else to import."""
    for name in {script.stem, COMPANIONS.get(script.stem, script.stem)}:
        if (path := script.with_name(f"{name}.py")).is_file():
            shutil.copyfile(path, Path(folder, path.name))
    return Path(folder, script.name)


def run_hook(handler: Handler, event: str, *, explains: bool = False) -> HookDecision:
    """Run a hook on an event like the client does, but without saving anything."""
    if handler.script is None:
        return ask_lesson_server(handler, event)
    debug = {"HOOKWRIGHT_DEBUG": "1"} if explains else {}
    variable = read_dialects()[handler.client].folder
    with tempfile.TemporaryDirectory(prefix="hookwright-") as config:
        try:
            completed = subprocess.run(  # noqa: S603 - the project's own, as the client runs it
                [find_interpreter(), "-I", "-S", copy_script(handler.script, config)],
                cwd=Path.home(),  # a file in the current folder may redirect a shim
                input=event.encode(),
                capture_output=True,
                check=False,
                timeout=handler.patience,
                env={**os.environ, variable: config, TOKEN: handler.token, **debug},
            )
        except subprocess.TimeoutExpired:
            raise RefusedError(
                f"{handler.script} takes more than {handler.patience:g} seconds, so the client "
                "goes on without it: look for a pattern that backtracks"
            ) from None
    output = completed.stderr.decode("utf-8", "replace").splitlines()
    if completed.returncode not in {0, DENIED} or (completed.returncode and not completed.stdout):
        last = output[-1] if output else f"exit code {completed.returncode}"
        raise RefusedError(f"{handler.script} fails ({last}): restore it from git")
    notes = [
        line.removeprefix("hookwright: ") for line in output if line.startswith("hookwright: ")
    ]
    decision = read_output(completed.stdout, handler.name, tuple(notes))
    if decision.denied and read_dialects()[handler.client].plugin:
        # A plugin puts both in the error.
        reason = "\n".join(filter(None, (decision.reason, decision.context)))
        return HookDecision(decision.denied, reason, "", decision.notes)
    return decision


def read_output(output: bytes, hook: str, notes: tuple[str, ...] = ()) -> HookDecision:
    try:
        answer = json.loads(output.decode() or "{}")
        own = answer.get("hookSpecificOutput", {})
        denied = "deny" in (own.get("permissionDecision"), answer.get("decision"))
        reason = own.get("permissionDecisionReason") or answer.get("reason", "")
        context = own.get("additionalContext") or answer.get("additionalContext", "")
        return HookDecision(denied, str(reason), str(context), notes)
    except (ValueError, AttributeError, RecursionError):
        shown = shorten(output.decode("utf-8", "replace"))
        raise RefusedError(f"{hook} answers '{shown}', which the client ignores") from None


def ask_lesson_server(handler: Handler, event: str) -> HookDecision:
    """Send an event to a server like the client does, but never to another user's server."""
    try:
        answer = ask(
            handler.url,
            method="POST",
            content=event,
            headers=handler.headers,
            timeout=handler.patience,
        )
    except ReportedError as error:
        return HookDecision(notes=(f"cannot reach {handler.url}: {error}",))
    if answer.status not in SUCCESS:
        return HookDecision(notes=(f"{handler.url} answers {answer.status}",))
    return read_output(answer.content, handler.name)


def check_hook(name: str, content: bytes, project: Project, client: str = CLAUDE) -> None:
    """Reject a hook that is not installed and differs from this version's render."""
    if is_known(name, content, project, client):
        return
    path = project.folder / read_dialects()[client].scripts / f"{name}.py"
    install = project.name_command("install")
    if is_newest(project.source, project.version):  # updating would not change it
        raise RefusedError(
            f"did not run {path}, because it was edited by hand: to undo that, run "
            f"{project.name_command('update --restore')}, or {install} if the edit is yours"
        )
    raise RefusedError(
        f"did not run {path}, because this version renders it differently: run "
        f"{project.name_command('update')}, or {install} if you trust it"
    )


def is_known(name: str, content: bytes, project: Project, client: str = CLAUDE) -> bool:
    """Return whether a hook is installed, or is identical to this version's render."""
    installed = client == CLAUDE and is_installed(name, content)
    return installed or content == render_hook(name, project.answers, client)


def is_installed(name: str, content: bytes) -> bool:
    """Return whether a hook is installed, so that the client runs it anyway."""
    copies = (find_config_folder() / "hooks").glob(f"*/{name}*.py")
    return any(name_hook(copy) == name and files.peek(copy) == content for copy in copies)


def find_token(url: str) -> str:
    """Return the token for a lesson server, or "" if the server must not receive it.

    A server receives the token if it runs on this machine, or if installed hooks query it.
    """
    token, origin = os.environ.get(TOKEN, ""), find_origin(url)
    if not token or not origin:
        return ""
    if is_loopback(origin[1]):
        return token
    _, handlers = read_handlers(Path.cwd())
    return token if origin in map(find_origin, list_trusted_urls(handlers)) else ""


@dataclass(frozen=True)
class NoContext:
    """The reason a prompt gets no lessons."""

    why: Why
    line: str  # including the fix
    details: Any = None  # for example each collection's best score and threshold


def explain_no_context(handler: Handler, event: str) -> NoContext | None:
    """Ask the server why a prompt gets no lessons; return None if it does not explain."""
    url = find_server(handler)
    if not url:
        return None
    own = {"Authorization": f"Bearer {handler.token}"} if handler.token else {}
    headers = {**own, **handler.headers}
    page = f"{url}/api/explain{find_min_score(handler)}"
    try:
        answer = ask(page, method="POST", content=event, headers=headers, timeout=EXPLAIN_LIMIT)
        if answer.status in {UNAUTHORIZED, FORBIDDEN}:
            sent = bool(headers.get("Authorization", "").removeprefix("Bearer ").strip())
            trusted = sent or TOKEN not in os.environ
            refusal = format_refusal(answer.status, token=sent, trusted=trusted)
            return NoContext("refused", f"{url} {refusal}", answer.status)
        # An older server, or another program, does not explain.
        return read_explanation(url, json.loads(answer.content)) if answer.status == OK else None
    except (OtherUserError, UnreachableError) as error:
        return NoContext("no server", explain_failure(url, error), url)
    except (NotHttpError, *MALFORMED):
        return None


def find_server(handler: Handler) -> str:
    if handler.script:
        return read_lesson_url(read_tables(handler.script))
    return handler.url.partition("/hooks/")[0] if find_origin(handler.url) else ""


def find_min_score(handler: Handler) -> str:
    if handler.script:
        score = read_tables(handler.script).get("MIN_SCORE")
        return f"?min_score={score}" if isinstance(score, float) else ""
    found = re.search(r"&min_score=([\d.e-]+)", handler.url)
    return f"?min_score={found[1]}" if found else ""


def read_explanation(url: str, answer: dict[str, Any]) -> NoContext | None:
    """Return the reason why a prompt gets no lessons, from the server's explanation.

    Raises LookupError, TypeError or AttributeError if the content is not an explanation.
    """
    if obstacle := answer["obstacle"]:
        line = f"no lessons are looked up for such a prompt: {OBSTACLES[obstacle]}"
        return NoContext("ruled out", line, obstacle)
    near = answer["collections"]
    if not answer["embedder_is_up"]:
        return NoContext("embedder down", f"{url} is degraded: its embedder is down: read its log")
    if not any(collection["records"] for collection in near.values()):
        line = f"{url} has no lessons yet: add some with lesson-search ingest"
        return NoContext("empty", line, near)
    if any(collection["left"] for collection in near.values()):
        return None
    if given := sum(collection["given"] for collection in near.values()):
        return NoContext("given", f"this session already got all {given} that are relevant", near)
    scores = [
        f"the best {name.removesuffix('s')} scores {hint['best']:.2f} of {hint['threshold']:.2f}"
        for name, hint in near.items()
        if hint["best"] is not None
    ]
    return NoContext("unlike", f"nothing is similar enough: {'; '.join(scores)}", near)
