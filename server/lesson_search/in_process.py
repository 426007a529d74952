"""Send requests to an application in this process, without a server."""

from typing import TYPE_CHECKING, cast

import httpx2

if TYPE_CHECKING:
    from collections.abc import AsyncIterable

    from anyio.from_thread import BlockingPortal
    from starlette.types import ASGIApp


class InProcessTransport(httpx2.BaseTransport):
    """Passes the requests of an `httpx2.Client` to an application in this process."""

    def __init__(self, app: "ASGIApp", portal: "BlockingPortal") -> None:
        self._transport = httpx2.ASGITransport(app)
        self._portal = portal

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        return self._portal.call(self._answer, request)

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        answer = await self._transport.handle_async_request(request)
        parts = [part async for part in cast("AsyncIterable[bytes]", answer.stream)]
        return httpx2.Response(answer.status_code, headers=answer.headers, content=b"".join(parts))
