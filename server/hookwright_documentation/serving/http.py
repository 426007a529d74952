"""Serve any number of clients over streamable HTTP, as an application route."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from starlette.responses import JSONResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.abc import TaskGroup, TaskStatus
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
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
        self._tasks: TaskGroup | None = None
        self._manager: StreamableHTTPSessionManager | None = None
        self._starting = anyio.Lock()
        self._open = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Answer requests while the block runs; the context can be entered only once."""
        async with anyio.create_task_group() as self._tasks:
            yield
            self._tasks.cancel_scope.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":  # an event stream would delay shutdown
            refusal = refuse(405, "use POST: this server has no sessions", allow="POST")
        elif self._open >= MAX_OPEN:
            reason = "too many requests at once: try again in a second"
            refusal = refuse(503, reason, **{"retry-after": "1"})
        else:
            self._open += 1
            try:
                manager = self._manager or await self._start()
                await manager.handle_request(scope, receive, send)
            finally:
                self._open -= 1
            return
        await refusal(scope, receive, send)

    async def _start(self) -> StreamableHTTPSessionManager:
        async with self._starting:
            if self._manager is None:
                assert self._tasks is not None  # noqa: S101 - the application runs it
                self._manager = await self._tasks.start(self._run)
        return self._manager

    async def _run(self, *, task_status: TaskStatus[StreamableHTTPSessionManager]) -> None:
        manager = await anyio.to_thread.run_sync(self._build_manager)
        async with manager.run():
            task_status.started(manager)
            await anyio.sleep_forever()

    def _build_manager(self) -> StreamableHTTPSessionManager:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from hookwright_documentation.serving.mcp_server import build_server

        return StreamableHTTPSessionManager(
            build_server(self._runner),
            json_response=True,
            stateless=True,
            max_request_body_size=MAX_BODY,
        )


def refuse(status: int, reason: str, **headers: str) -> JSONResponse:
    """Return an error without reading the rest of the body, and close the connection."""
    return JSONResponse({"detail": reason}, status, {"connection": "close", **headers})
