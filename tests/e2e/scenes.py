"""The observed behaviour of each hook in a real client, for the table of clients."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from hookwright.clients.dialects import read_dialects

from ..support.command_line import run_hookwright
from ..support.installer import snapshot
from ..support.loopback_server import LoopbackServer
from ..support.project import GITLAB, ROOT
from .clients.client import Client
from .lessons import ERROR, FAILURE, HINT, LESSON, PROMPT
from .model import TASK, Call
from .routes import ISSUE

Seen = dict[str, dict[str, bool]]  # keyed by hook and behaviour

SERVER = ROOT / "tests" / "support" / "fake_fetch_server.py"
TOOL = "mcp__team-docs__search-docs"  # the name of the server's tool in responses
ROUTES = {
    "issue": ISSUE,
    "mirror": {
        "tool": "Bash",
        "pattern": r"\becho mirror (?P<host>[\w.]+)",
        "message": "Better: our-mirror {host}",
        "once": True,
    },
    "known": {
        "pattern": r"/known-page$",
        "action": "warn",
        "message": "Known: the page is in /usr/share/doc",
    },
    "printing": {
        "tool": "Bash",
        "pattern": r"\becho hello",
        "action": "warn",
        "message": "Known: printf is more portable",
    },
    "documented": {
        "tool": "Bash",
        "pattern": r"\becho ask docs",
        "message": f"Better: call {TOOL} with urls",
    },
}
QUERY, URL = "gitlab ci cache", "https://github.com/octo/hello/issues/7"
COMMAND = "echo mirror example.com"
# The `hookwright try` arguments that correspond to the denied calls.
TRIED = {
    "docsearch": (QUERY,),
    "tool_routing, fetches": (URL,),
    "tool_routing, commands": ("--bash", COMMAND),
}
GARBAGE = (b"", b"\xff\xfe", b"[1, 2", b"null", b'{"tool_name": 1}', b"{" * 10_000)
HANGING = """
import pathlib, time
pathlib.Path(__file__).with_suffix(".started").touch()
time.sleep(20)
"""
HOOKS = ("docsearch", "tool_routing", "lesson_search", "action_lessons", "prompt_hint")


@dataclass(frozen=True)
class Subject:
    """A tool call to which a hook responds.

    Args:
        row: The hook, and the kind of call if the hook handles several kinds.
        call: The tool call.
        reason: The hook's text in the call's result.
        told: The text that the model must receive exactly once.
        output: Text in the result of an allowed call, or "" if the result is unpredictable.

    """

    row: str
    call: Call
    reason: str
    told: str
    output: str = ""


def list_denied(client: Client) -> list[Subject]:
    subjects = []
    if search := client.search(QUERY):
        subjects.append(Subject("docsearch", search, "'gitlab'", str(GITLAB["description"])))
    if fetch := client.fetch(URL):
        message = "Better: gh issue view 7 --repo octo/hello"
        subjects.append(Subject("tool_routing, fetches", fetch, message, message))
    message = "Better: our-mirror example.com"
    command = client.shell(COMMAND)
    subjects.append(
        Subject("tool_routing, commands", command, message, message, "mirror example.com")
    )
    return subjects


# The commands below pause, because Qwen Code sometimes loses the output of shorter ones.
def list_warned(client: Client, page: str) -> list[Subject]:
    subjects = []
    if fetch := client.fetch(client.choose_page(page)):
        message = "Known: the page is in /usr/share/doc"
        subjects.append(Subject("tool_routing, fetches", fetch, "", message))
    message = "Known: printf is more portable"
    command = client.shell("echo hello; sleep 0.3")
    return [*subjects, Subject("tool_routing, commands", command, "", message, "hello")]


def observe_session(client: Client, project: Path) -> Seen:
    client.install(project)
    client.connect("team-docs", sys.executable, str(SERVER), "search-docs")
    named = read_dialects()[client.name].name_tool(TOOL)
    denied = list_denied(client)
    fails = client.shell(f"echo {ERROR}; sleep 0.3; exit 3")
    with PageServer() as server:
        warned = list_warned(client, f"{server.url}/known-page")
        subjects = [*denied, *warned]
        run = client.converse(
            [
                *(subject.call for subject in subjects),
                client.shell("echo ask docs"),
                client.shell("echo fine; sleep 0.3"),
            ],
            [*(subject.call for subject in denied), fails],
            [fails],
            [client.ask_server(named, {"urls": ["https://docs.example/"]})],
            *client.delegate(f"{TASK} 1: {PROMPT}"),
            subagent_script=[[subject.call for subject in denied]],
            prompt=PROMPT,
        )
    first, second, failed_again, answered = run.main[:4]
    *results, documented, fine = [result.text for result in first.results]
    subagent = "\n".join(decision.text for turns in run.subagents for decision in turns)
    seen: Seen = {}
    for subject, result, repeated in zip(denied, results, second.results, strict=False):
        others = [other.reason for other in denied if other is not subject]
        seen[subject.row] = {
            "denied": subject.reason in result and first.text.count(subject.told) == 1,
            "parallel": not any(other in result for other in others) and "fine" in fine,
            "repeated": subject.reason not in repeated.text and subject.output in repeated.text,
            "subagent": subject.reason in subagent and subject.told in subagent,
        }
    for subject, result in zip(warned, results[len(denied) :], strict=True):
        seen[subject.row]["warned"] = (
            first.text.count(subject.told) == 1 and subject.output in result
        )
    seen["lesson_search"] = {
        "told": run.last.count(LESSON) == 1 and PROMPT in run.last,
        "subagent": any(LESSON in task for task in run.tasks),
    }
    lessons = [decision.text.count(FAILURE) for decision in (first, second, failed_again)]
    seen["action_lessons"] = {"told": lessons == [0, 1, 0]}
    seen["prompt_hint"] = {"told": run.last.count(HINT) == 1}
    for row, words in TRIED.items():
        if row in seen:
            tried = try_words(client, project, words)
            seen[row]["tried"] = all(first.text.count(word) == 1 for word in tried)
    (context,) = try_words(client, project, ("--prompt", PROMPT))
    (hint,) = (line for line in context.splitlines() if line.startswith(HINT))
    for hook, text in (
        ("lesson_search", context.replace(hint, "").strip("\n")),
        ("prompt_hint", hint),
    ):
        quoted = json.dumps(text, ensure_ascii=False)[1:-1]
        seen[hook]["tried"] = bool(text) and run.last.count(quoted) == 1
    seen["tool_routing, commands"]["called"] = (
        f"Better: call {named} with urls" in documented and "These are 1 pages." in answered.text
    )
    return seen


def observe_missing_scripts(client: Client, project: Path) -> Seen:
    client.install(project)
    for script in list_scripts(client):
        script.unlink()
    return {row: {"missing": passed} for row, passed in list_passed(client).items()}


def observe_hanging_scripts(client: Client, project: Path) -> Seen:
    client.install(project)
    for path in client.home.rglob("*.js*"):
        text = path.read_text()
        if "tool_routing" in text:
            path.write_text(re.sub(r'("?timeout"?:\s*)\d+?(000)?\b', r"\g<1>1\2", text))
    for script in list_scripts(client):
        script.write_text(HANGING)
    passed = list_passed(client)
    started = {path.stem for path in client.home.rglob("*.started")}
    return {
        row: {"hanging": passed and any(name.startswith(row.split(",")[0]) for name in started)}
        for row, passed in passed.items()
    }


def observe_garbage(client: Client, project: Path) -> Seen:
    client.install(project)
    answers = {
        script.stem: [
            subprocess.run(
                [sys.executable, "-I", "-S", str(script)],
                input=garbage,
                capture_output=True,
                check=False,
                env=client.environment,
            )
            for garbage in GARBAGE
        ]
        for script in list_scripts(client)
    }
    seen: Seen = {}
    for script, done in answers.items():
        (hook,) = [hook for hook in HOOKS if script.startswith(hook)]
        silent = all(
            (process.returncode, process.stdout, process.stderr) == (0, b"", b"")
            for process in done
        )
        seen[hook] = {"garbage": silent}
    return seen


def observe_uninstallation(client: Client, project: Path) -> Seen:
    before = snapshot(client.home)
    client.install(project)
    changed = snapshot(client.home) != before
    client.install(project, "--uninstall")
    return {"installation": {"uninstalled": changed and snapshot(client.home) == before}}


def observe_package(client: Client, project: Path) -> Seen:
    if not client.install_package(project):
        return {}
    denied = list_denied(client)
    run = client.converse([subject.call for subject in denied], prompt=PROMPT)
    matches = [
        denied_call.reason in result.text and run.main[0].text.count(denied_call.told) == 1
        for denied_call, result in zip(denied, run.main[0].results, strict=True)
    ]
    return {"installation": {"packaged": all(matches) and run.last.count(LESSON) == 1}}


SCENES = {
    "session": observe_session,
    "missing": observe_missing_scripts,
    "hanging": observe_hanging_scripts,
    "garbage": observe_garbage,
    "uninstallation": observe_uninstallation,
    "package": observe_package,
}


def try_words(client: Client, project: Path, words: Sequence[str]) -> list[str]:
    options = ["--client", client.name, "--project", str(project), "--json"]
    completed = run_hookwright("try", *words, *options, folder=project)
    output = json.loads(completed.output)
    printed = [
        text
        for hook in output.get("hooks", [output])
        for text in (hook.get("reason"), hook["context"])
    ]
    assert any(printed), output
    return [text for text in printed if text]


def list_scripts(client: Client) -> list[Path]:
    return sorted(path for hook in HOOKS for path in client.home.rglob(f"{hook}*.py"))


def list_passed(client: Client) -> dict[str, bool]:
    denied = list_denied(client)
    run = client.converse([subject.call for subject in denied], prompt=PROMPT)
    results = [result.text for result in run.main[0].results]
    passed = {
        denied_call.row: denied_call.reason not in result
        and "hook" not in result.lower()
        and denied_call.output in result
        for denied_call, result in zip(denied, results, strict=True)
    }
    return {**passed, **dict.fromkeys(("lesson_search", "prompt_hint"), PROMPT in run.last)}


class PageServer(LoopbackServer):
    """A server that returns the same page for every path."""

    def __init__(self) -> None:
        super().__init__(_PageHandler)


class _PageHandler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Known</title><p>This is the page.")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in http.server
        """Suppress logging."""
