"""Keep out what has no business here: pages in a browser, other hosts' names, and who has no token.

Without a token, other users of this machine are kept out where the system tells whose a connection
is. A body that says it is too large is refused before it is read.

A page can have its own name resolve to this machine, and then reads all it likes as its own site:
only the name in the Host header tells. A page of another site says so in Origin or Sec-Fetch-Site.
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
DIGITS = 15  # of a length that is worth reading as a number
OWN_CLIENT = "own_client"  # in a request's state: whether this user's process sent it
HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/?#@\s]+)(?::\d{1,5})?")


class Guard:
    """Lets through to an application what may pass."""

    def __init__(self, app: "ASGIApp", hosts: Collection[str] | None, token: str | None) -> None:
        """Guard an application.

        Args:
            app: What to guard.
            hosts: The names by which it may be asked for, without ports; None for any, which is
                safe with a token only.
            token: What every request has to have as its bearer token, or None.

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
            await send({"type": "websocket.close"})  # there are none here
        else:
            await self._app(scope, receive, send)

    def _refuse(self, scope: "Scope") -> tuple[int, str] | None:
        """Return the status and the reason to refuse a request, or None."""
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        host, *others = headers.get("host", [""])
        named = HOST.fullmatch(host)
        known = named and (self._hosts is None or named[1].lower() in self._hosts)
        if others or not known:
            return 421, "this server is not known by that name: ask for it as it was started"
        own = f"{scope.get('scheme', 'http')}://{host}".lower()
        foreign = any(origin.lower() != own for origin in headers.get("origin", []))
        site = headers.get("sec-fetch-site", ["none"])[0]
        if foreign or site not in {"none", "same-origin"}:
            return 403, "pages of other sites may not ask: use a program, or the page at /docs"
        if self._token is not None:
            given = headers.get("authorization", [""])[0]
            kind, _, token = given.partition(" ")
            same = hmac.compare_digest(token.strip().encode(), self._token.encode())
            if kind.lower() != "bearer" or not same:
                return 401, "a token is needed: send it as Authorization: Bearer TOKEN"
        length = headers.get("content-length", [""])[0]
        if length.isdecimal() and (len(length) > DIGITS or int(length) > LARGEST_BODY):
            return 413, f"the body is too large: send {LARGEST_BODY:,} bytes at most"
        return None


class SameUser:
    """Lets through to an application what this user's own processes ask."""

    def __init__(self, app: "ASGIApp") -> None:
        """Guard an application, whose server has to say in the state whose each request is."""
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http" and not scope.get("state", {}).get(OWN_CLIENT):
            reason = (
                "this server is another user's: its owner lets you in by setting"
                " LESSON_SEARCH_TOKEN for it, and giving you the token"
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
        (b"connection", b"close"),  # what else the request holds is not read
    ]
    if status == 401:  # noqa: PLR2004 - as in the line below
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
