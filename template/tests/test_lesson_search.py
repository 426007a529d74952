"""The lesson_search hook does what the answers say, beside a stand-in of the server."""

import json
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from conftest import FailFor, LoadHook

    Ask = Callable[[bytes, str], "subprocess.CompletedProcess[bytes]"]

PROJECT = Path(__file__).resolve().parent.parent
PROMPT = "How do I cache gems in GitLab CI?"
TOLD = {"hookEventName": "UserPromptSubmit", "additionalContext": '## Lessons\n- "Größe" \\ 1'}


def write_answer(answer: object, status: str = "200 OK") -> bytes:
    """Return what a server sends to answer with this JSON."""
    body = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


class StandIn(ThreadingHTTPServer):
    """A stand-in of the server, which answers with any bytes; with none, it never answers."""

    daemon_threads = True

    def __init__(self) -> None:
        """Take a free port of the loopback interface."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = b""
        self.asked: list[tuple[str, bytes]] = []
        self.stopped = threading.Event()


class Handler(BaseHTTPRequestHandler):
    """Notes each request and sends what the stand-in answers."""

    server: StandIn

    def do_POST(self) -> None:
        """Answer a prompt."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append((self.path, body))
        self.wfile.write(self.server.answer)
        if not self.server.answer:
            self.server.stopped.wait()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> "Iterator[StandIn]":
    """Yield a stand-in that runs."""
    with StandIn() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield server
        server.stopped.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def ask(server: StandIn, tmp_path: Path, fail_for: "FailFor") -> "Ask":
    """Return what has the hook ask the stand-in, which gives an answer to a prompt."""
    script = tmp_path / "lesson_search.py"
    code, places = (PROJECT / "hooks" / "lesson_search.py").read_text("utf-8"), 0
    for name, value in (("SERVER", f'"127.0.0.1:{server.server_port}"'), ("TIME_LIMIT", "1")):
        code, found = re.subn(rf"^{name} = .*$", f"{name} = {value}", code, flags=re.MULTILINE)
        places += found
    if places != len(("SERVER", "TIME_LIMIT")):
        fail_for("hooks/lesson_search.py does not hold what the answers say")
    script.write_text(code, "utf-8")

    def run(answer: bytes, prompt: str) -> "subprocess.CompletedProcess[bytes]":
        server.answer = answer
        event = {"session_id": "test", "hook_event_name": "UserPromptSubmit", "prompt": prompt}
        return subprocess.run(
            [sys.executable, "-I", "-S", str(script)],
            input=json.dumps(event).encode(),
            capture_output=True,
            check=False,
        )

    return run


def test_answers_and_constants_agree(
    load_hook: "LoadHook", answers: "dict[str, Any]", fail_for: "FailFor"
) -> None:
    """The hook's constants hold what the answers say, for neither is edited by hand."""
    hook: ModuleType = load_hook("lesson_search")
    names = ("SERVER", "TOP_K", "CONTEXT_BUDGET", "TIME_LIMIT", "MIN_SCORE")
    address = str(answers.get("lesson_server_url")).partition("://")[2]
    wanted = [
        address if re.search(r":\d+$", address) else f"{address}:80",
        *(answers.get(name) for name in ("top_k", "context_budget", "lesson_time_limit")),
        answers.get("min_score") or None,
    ]
    if [getattr(hook, name, None) for name in names] != wanted:
        fail_for("hooks/lesson_search.py does not hold what the answers say")


def test_prompt_gets_what_the_server_says(
    ask: "Ask", server: StandIn, answers: "dict[str, Any]"
) -> None:
    """The server is asked for as much as the answers say, and what it says is printed."""
    done = ask(write_answer({"hookSpecificOutput": TOLD}), PROMPT)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == {"hookSpecificOutput": TOLD}
    [(path, event)] = server.asked
    query = f"top_k={answers['top_k']}&budget={answers['context_budget']}"
    if answers.get("min_score"):
        query += f"&min_score={answers['min_score']}"
    assert path == f"/hooks/user-prompt-submit?{query}"
    assert json.loads(event)["prompt"] == PROMPT


@pytest.mark.parametrize(
    "answer",
    [
        write_answer({}),
        write_answer({"hookSpecificOutput": TOLD}, "500 Internal Server Error"),
        write_answer({"hookSpecificOutput": TOLD})[:-1],
        write_answer({"decision": "block", "reason": "erase the prompt"}),
        write_answer({"hookSpecificOutput": TOLD, "decision": "block"}),
        b"<html>",
        b"",
    ],
    ids=["nothing", "error", "half", "block", "more", "garbage", "slow"],
)
def test_prompt_goes_on(ask: "Ask", answer: bytes) -> None:
    """Where the server finds nothing, or does anything else, the prompt goes on as it is."""
    done = ask(answer, PROMPT)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_server_that_is_down(ask: "Ask", server: StandIn) -> None:
    """Where no server is listening, the prompt goes on as it is."""
    server.shutdown()
    server.server_close()
    done = ask(b"", PROMPT)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("prompt", ["", "yes", "/compact now please", "<task-notification> done"])
def test_server_is_not_asked(ask: "Ask", server: StandIn, prompt: str) -> None:
    """A prompt that lessons cannot matter to is not sent to the server."""
    done = ask(write_answer({"hookSpecificOutput": TOLD}), prompt)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert server.asked == []
