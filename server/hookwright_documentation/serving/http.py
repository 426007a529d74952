"""Serve any number of clients over streamable HTTP, as a route of another application."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio

from hookwright_documentation.serving.open_databases import OpenDatabases
from hookwright_documentation.serving.tool_runner import ThreadRunner

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from starlette.types import Message, Receive, Scope, Send

    from hookwright_documentation.serving.tool_runner import ToolRunner

MAX_BODY = 100_000  # bytes: many times those of the longest query
MAX_OPEN = 500  # requests at once, most of which wait for a search


class DocumentationEndpoint:
    """Answers each POST by itself, without sessions: clients that come and go cost nothing.

    Its application checks who sends a request. The SDK is imported at the first one.
    """

    def __init__(self, runner: ToolRunner | None = None) -> None:
        """Import nothing yet.

        Args:
            runner: What runs the tools; None for threads of this process.

        """
        self._runner = runner or ThreadRunner(OpenDatabases())
        self._server: Server[Any] | None = None
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["method"] != "POST":  # a stream would hold up the end of the server
            await refuse(send, 405, "use POST: this server has no sessions", (b"allow", b"POST"))
            return
        if self._open >= MAX_OPEN:
            reason = "too many requests at once: try again in a second"
            await refuse(send, 503, reason, (b"retry-after", b"1"))
            return
        self._open += 1
        try:
            await self._answer(scope, receive, send)
        finally:
            self._open -= 1

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await read_body(receive)
        if body is None:
            await refuse(send, 413, f"the body is too large: send {MAX_BODY:,} bytes at most")
            return
        if self._server is None:
            self._server = await anyio.to_thread.run_sync(self._build_server)
        from hookwright_documentation.serving.direct_calls import answer_call, answer_wrong_id

        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        answer = await answer_call(headers, body, self._runner)
        if answer is not None:
            await respond(send, 200, answer)
            return
        refusal = answer_wrong_id(body)
        if refusal is not None:
            await respond(send, 400, refusal)
            return
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        # A manager can be run once only. This one has no session to keep beyond the request.
        manager = StreamableHTTPSessionManager(self._server, json_response=True, stateless=True)
        async with manager.run():
            await manager.handle_request(scope, replay(body, receive), send)

    def _build_server(self) -> Server[Any]:
        from hookwright_documentation.serving.mcp_server import build_server

        return build_server(self._runner)


async def read_body(receive: Receive) -> bytes | None:
    """Return the body of a request; None if it is too large, or the client is gone."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def replay(body: bytes, receive: Receive) -> Receive:
    """Return what receives a body that was read, and then what follows."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


async def refuse(send: Send, status: int, reason: str, *headers: tuple[bytes, bytes]) -> None:
    """Answer with an error."""
    closing = (b"connection", b"close")  # the rest of the request is not read
    await respond(send, status, json.dumps({"detail": reason}).encode(), closing, *headers)


async def respond(send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Answer with JSON."""
    length = (b"content-length", str(len(body)).encode())
    every = [(b"content-type", b"application/json"), length, *headers]
    await send({"type": "http.response.start", "status": status, "headers": every})
    await send({"type": "http.response.body", "body": body})
