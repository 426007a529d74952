"""A fake of the model behind Claude Code, which makes the tool calls that a script tells it to.

The client sends the whole conversation with every request. So the fake needs no memory of where it
is in its script: the next turn's number is how often the model has spoken in the conversation.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

from ..support.loopback_server import LoopbackServer

MAIN_AGENT = ""

Json = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A tool call that the model makes: the tool's name, and its input."""

    tool: str
    input: Json


Script = Sequence[Sequence[Call]]  # turn by turn

DELEGATE = Call(
    "Agent",
    {
        "description": "Look it up",
        "prompt": "Look up how GitLab caches.",
        "subagent_type": "general-purpose",
        "run_in_background": False,
    },
)


@dataclass(frozen=True)
class Result:
    """What the client told the model about one of its calls."""

    text: str
    error: bool


@dataclass(frozen=True)
class Told:
    """What the client told the model before one of its turns.

    The results are in the order of the calls; the notes are all other text, be it the user's, a
    hook's or the client's own.
    """

    results: tuple[Result, ...]
    notes: str

    @property
    def errors(self) -> list[bool]:
        """Which of the calls failed, in their order."""
        return [result.error for result in self.results]

    @property
    def text(self) -> str:
        """All of it as one text."""
        return "\n".join([*(result.text for result in self.results), self.notes])


@dataclass(frozen=True)
class Request:
    """A request of the client: which subagent it is for (or MAIN_AGENT), and its body."""

    agent: str
    body: Json

    @property
    def for_the_web(self) -> bool:
        """Whether this is a web search that was let through: the client has the model make it."""
        return any(tool.get("type", "").startswith("web_search") for tool in self._tools)

    @property
    def for_an_agent(self) -> bool:
        """Whether this continues a conversation, and is none of the client's own questions."""
        return bool(self._tools) and not self.for_the_web

    @property
    def turn(self) -> int:
        """How often the model has spoken in the conversation."""
        return sum(message["role"] == "assistant" for message in self.body["messages"])

    @property
    def told(self) -> Told:
        """What the model has been told since it spoke last."""
        blocks: list[Json] = []
        for message in self.body["messages"]:
            blocks = [] if message["role"] == "assistant" else blocks + list_blocks(message)
        results = [block for block in blocks if block["type"] == "tool_result"]
        # They come in the order in which they were ready; their ids sort as the calls were made.
        results.sort(key=lambda block: str(block["tool_use_id"]))
        return Told(
            tuple(Result(read_text(block), block.get("is_error", False)) for block in results),
            "\n".join(block["text"] for block in blocks if block["type"] == "text"),
        )

    @property
    def _tools(self) -> list[Json]:
        return self.body.get("tools") or []


class ScriptedModel(LoopbackServer):
    """The fake: a server on the loopback interface that answers while a `with` block runs.

    What it was sent is in `requests`.
    """

    def __init__(self, script: Script, subagent_script: Script = ()) -> None:
        """Take a free port.

        Args:
            script: What the main agent calls; when it is over, the agent is done.
            subagent_script: The same for each subagent.

        """
        super().__init__(_Handler)
        self.requests: list[Request] = []
        self._script = script
        self._subagent_script = subagent_script

    def answer(self, request: Request) -> list[Json]:
        """Record a request, and return the blocks of the answer to it."""
        self.requests.append(request)
        if request.for_the_web:
            return [{"type": "text", "text": "This is what the web says."}]
        script = self._script if request.agent == MAIN_AGENT else self._subagent_script
        if not request.for_an_agent or request.turn >= len(script):
            return [{"type": "text", "text": "Done."}]
        ids = f"toolu_{request.agent}_{request.turn:02}"
        return [
            {"type": "tool_use", "id": f"{ids}_{number:02}", "name": call.tool, "input": call.input}
            for number, call in enumerate(script[request.turn])
        ]


class _Handler(BaseHTTPRequestHandler):
    server: ScriptedModel

    def do_POST(self) -> None:
        """Stream the answer to a request; a header tells which subagent the request is for."""
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        agent = self.headers.get("x-claude-code-agent-id", MAIN_AGENT)
        request = Request(agent, json.loads(raw))
        blocks = self.server.answer(request)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for event in stream_message(f"msg_{agent}_{request.turn}", blocks):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in http.server
        """Say nothing: the requests are recorded."""


def stream_message(identity: str, blocks: Sequence[Json]) -> Iterator[Json]:
    """Yield the events that a message of these blocks is streamed as.

    They follow https://docs.anthropic.com/en/api/messages-streaming. The client takes messages that
    have the same identity for one.
    """
    calls = any(block["type"] == "tool_use" for block in blocks)
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": identity, "type": "message", "role": "assistant", "model": "fake"}
    yield {"type": "message_start", "message": {**message, "content": [], "usage": usage}}
    for index, block in enumerate(blocks):
        start, delta = split_block(block)
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": usage}
    yield {"type": "message_stop"}


def split_block(block: Json) -> tuple[Json, Json]:
    """Return how a block starts, which is empty, and the one piece that then fills it."""
    if block["type"] == "text":
        return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    piece = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return {**block, "input": {}}, piece


def list_blocks(message: Json) -> list[Json]:
    """Return the blocks of a message, or of a tool's result; a mere string is one block of text."""
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def read_text(result: Json) -> str:
    """Return the text of a tool's result."""
    return "\n".join(block.get("text", "") for block in list_blocks(result))
