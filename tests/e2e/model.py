"""A fake model for the clients, which makes scripted tool calls.

A client sends the whole conversation with every request, so the fake need not store its position in
the script: the number of model turns in the conversation is the number of the next turn.
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
DONE = "Done."  # the model's text after the last scripted call
TASK = "Your task is number"  # the number identifies a subagent

Json = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A tool call that the model makes: the tool's name and input."""

    tool: str
    input: Json


Script = Sequence[Sequence[Call]]  # the calls in each turn


@dataclass(frozen=True)
class Result:
    """The client's result for one of the model's calls.

    `error` is False if the protocol does not report errors.
    """

    text: str
    error: bool = False


@dataclass(frozen=True)
class HookDecision:
    """The client's messages to the model before one of the model's turns.

    The results are in the order of the calls; the notes are all other text, from the user, a hook
    or the client.
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
    """A client's request in some protocol, and the format of the model's response.

    Args:
        path: The request path.
        headers: The headers, with lower-case names.
        body: The parsed request body.

    """

    path: str
    headers: Mapping[str, str]
    body: Json

    place: ClassVar[str]  # a substring of the protocol's request paths

    @property
    @abstractmethod
    def agent(self) -> str:
        """The subagent that sent this request, or MAIN_AGENT."""

    @property
    def content_type(self) -> str:
        return "text/event-stream"

    @property
    @abstractmethod
    def turn(self) -> int:
        """The number of model turns in the conversation."""

    @property
    @abstractmethod
    def told(self) -> HookDecision:
        """The messages since the model's last turn."""

    @property
    @abstractmethod
    def for_an_agent(self) -> bool:
        """Whether this request is part of an agent's conversation, not the client's own query."""

    @property
    def for_the_web(self) -> bool:
        return False

    @abstractmethod
    def write(self, calls: Sequence[Call], text: str) -> Iterator[bytes]:
        """Yield the parts of a response with these calls, or with the text if there are none."""

    def name(self, number: int) -> str:
        """Return the ID for a call, given its number in the turn; the IDs sort in call order."""
        return f"call_{self.agent}_{self.turn:02}_{number:02}"


class ScriptedModel(LoopbackServer):
    """The fake model: a server on the loopback interface that runs during a `with` block.

    Received requests are recorded in `requests`.
    """

    def __init__(
        self, protocol: type[Request], script: Script, subagent_script: Script = ()
    ) -> None:
        """Bind a free port.

        Args:
            protocol: The class that represents requests.
            script: The main agent's calls; after the last one, the agent is done.
            subagent_script: Each subagent's calls.

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
        """Suppress logging, because the requests are recorded."""


def read_task(text: str) -> str:
    task = re.search(rf"{TASK} (\w+)", text)
    return task[1] if task else MAIN_AGENT


def write_events(events: Iterable[Json]) -> Iterator[bytes]:
    for event in events:
        kind = f"event: {event['type']}\n" if "type" in event else ""
        yield f"{kind}data: {json.dumps(event)}\n\n".encode()
