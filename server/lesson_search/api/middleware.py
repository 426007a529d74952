"""Refuse requests from web pages, for other host names, and without the token.

Without a token, other users of this machine are refused if the system tells who owns a connection.
A body that is too large is refused before it is read.

A web page can make its own host name resolve to this machine and read everything as its own site;
only the Host header reveals that. Requests from another site have Origin or Sec-Fetch-Site.
"""

import hmac
import json
import re
from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
LARGEST_BODY = 32_000_000  # bytes
DIGITS = 15  # of a content length that is worth parsing
OWN_CLIENT = "own_client"  # set in a request's state if a process of this user sent it
HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/?#@\s]+)(?::\d{1,5})?")


class AccessMiddleware:
    """Passes only allowed requests to an application."""

    def __init__(self, app: "ASGIApp", hosts: Collection[str] | None, token: str | None) -> None:
        """Guard an application.

        Args:
            app: The application.
            hosts: The accepted host names, without ports; None for any, which is only safe with a
                token.
            token: The bearer token that every request needs, or None.

        """
        self._app = app
        self._hosts = None if hosts is None else {host.lower() for host in hosts}
        self._token = token

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http" and (refusal := self._refuse(scope)):
            status, reason = refusal
            await respond(send, status, reason)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # the API has none
        else:
            await self._app(scope, receive, send)

    def _refuse(self, scope: "Scope") -> tuple[int, str] | None:
        """Return the status and reason for a refusal, or None."""
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        host, *others = headers.get("host", [""])
        named = HOST.fullmatch(host)
        known = named and (self._hosts is None or named[1].lower() in self._hosts)
        if others or not known:
            return 421, "unknown host name: use the address that the server was started with"
        own = f"{scope.get('scheme', 'http')}://{host}".lower()
        foreign = any(origin.lower() != own for origin in headers.get("origin", []))
        site = headers.get("sec-fetch-site", ["none"])[0]
        if foreign or site not in {"none", "same-origin"}:
            return 403, "requests from other sites are refused: use a program, or the page at /docs"
        if self._token is not None:
            kind, _, token = headers.get("authorization", [""])[0].partition(" ")
            same = hmac.compare_digest(token.strip().encode(), self._token.encode())
            if kind.lower() != "bearer" or not same:
                return 401, "the token is missing or wrong: send Authorization: Bearer TOKEN"
        length = headers.get("content-length", [""])[0]
        if length.isdecimal() and (len(length) > DIGITS or int(length) > LARGEST_BODY):
            return 413, f"the body is too large: send {LARGEST_BODY:,} bytes at most"
        return None


class SameUserMiddleware:
    """Passes only requests of this user's processes to an application."""

    def __init__(self, app: "ASGIApp") -> None:
        """Guard an application, whose server sets OWN_CLIENT in the state of requests."""
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http" and not scope.get("state", {}).get(OWN_CLIENT):
            reason = (
                "this server belongs to another user: ask its owner to set LESSON_SEARCH_TOKEN and"
                " to give you the token"
            )
            await respond(send, 403, reason)
        else:
            await self._app(scope, receive, send)


async def respond(send: "Send", status: int, reason: str) -> None:
    """Answer with a status and a reason."""
    body = json.dumps({"detail": reason}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # the rest of the request is not read
    ]
    if status == 401:  # noqa: PLR2004 - as in the line below
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
