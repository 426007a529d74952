"""Serve any number of clients over streamable HTTP, as an application route."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anyio.to_thread import run_sync
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from starlette.types import Receive, Scope, Send

    from hookwright_documentation.serving.tool_runner import ToolRunner

MAX_BODY = 100_000  # bytes: many times the longest query
MAX_OPEN = 500  # concurrent requests, most of which wait for a search


class DocumentationEndpoint:
    """Answers each POST without a session, so that short-lived clients leave nothing behind.

    The application checks who sent a request. The SDK is imported at the first request.
    """

    def __init__(self, runner: ToolRunner) -> None:
        self._runner = runner
        self._server: Server[Any] | None = None
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The connection of a refused request is closed without reading the rest of the body.
        if scope["method"] != "POST":  # an event stream would delay shutdown
            detail = {"detail": "use POST: this server has no sessions"}
            headers = {"connection": "close", "allow": "POST"}
            await JSONResponse(detail, 405, headers)(scope, receive, send)
            return
        if self._open >= MAX_OPEN:
            detail = {"detail": "too many requests at once: try again in a second"}
            headers = {"connection": "close", "retry-after": "1"}
            await JSONResponse(detail, 503, headers)(scope, receive, send)
            return
        self._open += 1
        try:
            if not self._server:
                self._server = await run_sync(self._build_server)
            from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

            manager = StreamableHTTPSessionManager(
                self._server, json_response=True, stateless=True, max_request_body_size=MAX_BODY
            )
            async with manager.run():
                await manager.handle_request(scope, receive, send)
        finally:
            self._open -= 1

    def _build_server(self) -> Server[Any]:
        import mcp.server.streamable_http_manager  # noqa: F401 - not in the event loop

        from hookwright_documentation.serving.mcp_server import build_server

        return build_server(self._runner)
