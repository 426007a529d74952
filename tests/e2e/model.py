"""A fake of the model behind a client, which makes the tool calls that a script tells it to.

A client sends the whole conversation with every request. So the fake needs no memory of where it
is in its script: the next turn's number is how often the model has spoken in the conversation.
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

from ..support.loopback_server import LoopbackServer

MAIN_AGENT = ""
DONE = "Done."  # what the model says when its script is over
TASK = "Your task is number"  # by which number a subagent is told from the others

Json = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A tool call that the model makes: the tool's name, and its input."""

    tool: str
    input: Json


Script = Sequence[Sequence[Call]]  # turn by turn


@dataclass(frozen=True)
class Result:
    """What the client told the model about one of its calls.

    Whether that is an error is False where the protocol does not say it.
    """

    text: str
    error: bool = False


@dataclass(frozen=True)
class HookDecision:
    """What the client told the model before one of its turns.

    The results are in the order of the calls; the notes are all other text: the user's, a hook's
    or the client's own.
    """

    results: tuple[Result, ...]
    notes: str

    @property
    def errors(self) -> list[bool]:
        return [result.error for result in self.results]

    @property
    def text(self) -> str:
        return "\n".join([*(result.text for result in self.results), self.notes])


@dataclass(frozen=True)
class Request(ABC):
    """A request of a client in one protocol, and how the model's answer is written in it.

    Args:
        path: The path that it was sent to.
        headers: Its headers, by their lower-case names.
        body: What was sent.

    """

    path: str
    headers: Mapping[str, str]
    body: Json

    place: ClassVar[str]  # which such paths have in them

    @property
    @abstractmethod
    def agent(self) -> str:
        """Which subagent this is for, or MAIN_AGENT."""

    @property
    def content_type(self) -> str:
        return "text/event-stream"

    @property
    @abstractmethod
    def turn(self) -> int:
        """How often the model has spoken in the conversation."""

    @property
    @abstractmethod
    def told(self) -> HookDecision:
        """What the model has been told since it spoke last."""

    @property
    @abstractmethod
    def for_an_agent(self) -> bool:
        """Whether this continues a conversation, and is not a question of the client's own."""

    @property
    def for_the_web(self) -> bool:
        return False

    @abstractmethod
    def write(self, calls: Sequence[Call], text: str) -> Iterator[bytes]:
        """Yield the pieces of an answer that makes these calls, or says the text without any."""

    def name(self, number: int) -> str:
        """Return the identity of a call by its number in the turn; they sort as they were made."""
        return f"call_{self.agent}_{self.turn:02}_{number:02}"


class ScriptedModel(LoopbackServer):
    """The fake: a server on the loopback interface that answers while a `with` block runs.

    What it was sent is in `requests`.
    """

    def __init__(
        self, protocol: type[Request], script: Script, subagent_script: Script = ()
    ) -> None:
        """Take a free port.

        Args:
            protocol: What the requests are.
            script: What the main agent calls; when it is over, the agent is done.
            subagent_script: The same for each subagent.

        """
        super().__init__(_Handler)
        self.protocol = protocol
        self.requests: list[Request] = []
        self._script = script
        self._subagent_script = subagent_script

    def answer(self, request: Request) -> Iterator[bytes]:
        self.requests.append(request)
        if request.for_the_web:
            return request.write([], "This is what the web says.")
        script = self._script if request.agent == MAIN_AGENT else self._subagent_script
        ended = not request.for_an_agent or request.turn >= len(script)
        return request.write([] if ended else script[request.turn], DONE)


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedModel

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        if self.server.protocol.place not in self.path:
            self.send_error(404)
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = self.server.protocol(self.path, headers, json.loads(raw))
        self.send_response(200)
        self.send_header("Content-Type", request.content_type)
        self.end_headers()
        for piece in self.server.answer(request):
            self.wfile.write(piece)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in http.server
        """Say nothing: the requests are recorded."""


def read_task(text: str) -> str:
    task = re.search(rf"{TASK} (\w+)", text)
    return task[1] if task else MAIN_AGENT


def write_events(events: Iterable[Json]) -> Iterator[bytes]:
    for event in events:
        kind = f"event: {event['type']}\n" if "type" in event else ""
        yield f"{kind}data: {json.dumps(event)}\n\n".encode()
