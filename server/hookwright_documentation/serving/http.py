"""Serve any number of clients over streamable HTTP, as a route of another application."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio

from hookwright_documentation.serving.open_databases import OpenDatabases

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from starlette.types import Receive, Scope, Send


class DocumentationEndpoint:
    """Answers each POST by itself, without sessions: clients that come and go cost nothing.

    Its application checks who sends a request. The SDK is imported at the first one.
    """

    def __init__(self) -> None:
        """Import nothing yet."""
        self._databases = OpenDatabases()
        self._server: Server[Any] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if self._server is None:
            self._server = await anyio.to_thread.run_sync(self._build_server)
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        # A manager can be run once only. This one has no session to keep beyond the request.
        manager = StreamableHTTPSessionManager(self._server, json_response=True, stateless=True)
        async with manager.run():
            await manager.handle_request(scope, receive, send)

    def _build_server(self) -> Server[Any]:
        from hookwright_documentation.serving.mcp_server import build_server

        return build_server(self._databases)
