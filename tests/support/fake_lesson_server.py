"""A fake lesson server that responds to each prompt with bytes that the test sets.

It speaks HTTP like the real server, or deliberately incorrect HTTP, and has no lessons.
"""

import json
import shutil
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .installer import pretend_installed
from .loopback_server import LoopbackServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

CONTEXT = (
    '## Relevant Lessons from Past Experience\n\n- **[a/b]** (relevance: 87%): Say "größe" \\ 🦊'
)
NOTHING = b"{}"


@dataclass(frozen=True)
class Asked:
    """A recorded request: its path with the query, its headers by lower-case name, and its body."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def prompt(self) -> str:
        prompt: str = json.loads(self.body)["prompt"]
        return prompt


class StandIn(LoopbackServer):
    """A fake lesson server that runs on the loopback interface during a `with` block.

    Requests are recorded in `asked`; `reply` may be changed at any time.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, *pieces: bytes) -> None:
        """Bind a free port.

        Args:
            pieces: The chunks of each response.

        """
        super().__init__(_Handler)
        self.asked: list[Asked] = []
        self.reply: Callable[[StandIn], Iterable[bytes]] = lambda _: pieces
        self.stopped = threading.Event()

    def shutdown(self) -> None:
        self.stopped.set()
        super().shutdown()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that disconnect."""


class _Handler(BaseHTTPRequestHandler):
    server: StandIn

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append(Asked(self.path, headers, body))
        for piece in self.server.reply(self.server):
            self.wfile.write(piece)
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in http.server
        """Suppress logging, because requests are recorded."""


def wait(server: StandIn) -> "Iterator[bytes]":
    server.stopped.wait()
    yield b""


def write_frame(context: str = CONTEXT, *, ascii_only: bool = False) -> bytes:
    output = {"hookEventName": "UserPromptSubmit", "additionalContext": context}
    frame = {"hookSpecificOutput": output}
    return json.dumps(frame, ensure_ascii=ascii_only, separators=(",", ":")).encode()


def write_answer(body: bytes, status: str = "200 OK", **headers: Any) -> bytes:
    head = {"Content-Type": "application/json", "Content-Length": len(body)}
    head |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{name}: {value}" for name, value in head.items() if value is not None]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode() + body


def set_server(project: Path, url: str, folder: Path) -> Path:
    copy = Path(shutil.copytree(project, folder / "copied"))
    for path in (copy / "hooks" / "lesson_search.py", copy / "hooks" / "hooks.json"):
        if path.exists():
            text = path.read_text().replace("http://127.0.0.1:7731", url)
            path.write_text(text.replace('"127.0.0.1:7731"', f'"{url.partition("//")[2]}"'))
    pretend_installed(copy)
    return copy
