"""Refuse requests from web pages, for other host names, and without the token.

Without a token, other users of this machine are refused if the system tells who owns a connection.
A body that is too large is refused before it is read.

A web page can make its own host name resolve to this machine and read everything as its own site;
only the Host header reveals that. Requests from another site have Origin or Sec-Fetch-Site.
"""

import hmac
import re
from base64 import b64decode
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookwright_documentation.serving.registration import PATH
from lesson_search.api.refusals import HttpRefusal, answer, refuse_token

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MAX_BODY = 32_000_000  # bytes
DIGITS = 15  # of a content length that is worth parsing
OWN_CLIENT = "own_client"  # set in a request's state if a process of this user sent it
READING = {"GET", "HEAD"}
# What searches sends its question in a body.
SEARCHES = {
    ("POST", path) for path in (PATH, "/api/query", "/api/explain", "/hooks/user-prompt-submit")
}
# A database has its name in the path.
SEARCH = re.compile(r"/api/databases/[^/]+/search")
# What tells about the projects on the server's machine, and runs their hooks; and what was deleted.
OWN = ("/api/activity", "/api/hooks", "/api/deletions/recent")
# Each answer has these: a browser that tells nothing of the site a request comes from must not show
# an answer in a frame, run it as a script, or keep on the disk what may be deleted later.
PROTECTION = (
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)
HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/?#@\s]+)(?::\d{1,5})?")


@dataclass(frozen=True)
class Tokens:
    """The bearer tokens of a server."""

    full: str  # the one that may do everything
    read: str | None = None  # the one that may search and read, but change nothing, or None


class AccessMiddleware:
    """Passes only allowed requests to an application.

    No hosts stand for any, which is only safe with tokens; no tokens for none that is needed.
    """

    def __init__(
        self, app: "ASGIApp", hosts: Collection[str] | None, tokens: Tokens | None
    ) -> None:
        self._app = app
        self._hosts = None if hosts is None else {host.lower() for host in hosts}
        self._tokens = tokens

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # the API has none
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        elif refusal := self._refuse(scope, headers := read_headers(scope)):
            await answer(protect(send), refusal, to_person=is_shown(headers))
        else:
            await self._app(scope, receive, protect(send))

    def _refuse(self, scope: "Scope", headers: dict[str, list[str]]) -> HttpRefusal | None:
        host, *others = headers.get("host", [""])
        named = HOST.fullmatch(host)
        known = named and (self._hosts is None or named[1].lower() in self._hosts)
        if others or not known:
            return HttpRefusal(
                421, "unknown host name: use the address that the server was started with"
            )
        # A proxy that speaks TLS passes requests on without it; a team's server has tokens.
        schemes = ("http", "https") if self._tokens else (scope.get("scheme", "http"),)
        own = {f"{scheme}://{host}".lower() for scheme in schemes}
        foreign = any(origin.lower() not in own for origin in headers.get("origin", []))
        site = headers.get("sec-fetch-site", ["none"])[0]
        if foreign or (site not in {"none", "same-origin"} and not opens_page(scope, headers)):
            return HttpRefusal(
                403, "requests from other sites are refused: use a program, or the page at /"
            )
        if self._tokens and (refusal := self._refuse_token(scope, headers)):
            return refusal
        length = headers.get("content-length", [""])[0]
        if length.isdecimal() and (len(length) > DIGITS or int(length) > MAX_BODY):
            return HttpRefusal(413, f"the body is too large: send {MAX_BODY:,} bytes at most")
        return None

    def _refuse_token(self, scope: "Scope", headers: dict[str, list[str]]) -> HttpRefusal | None:
        assert self._tokens is not None  # noqa: S101 - checked before
        token = read_token(headers.get("authorization", [""])[0])
        full = hmac.compare_digest(token.encode(), self._tokens.full.encode())
        read = hmac.compare_digest(token.encode(), (self._tokens.read or "").encode())
        if not token or not (full or read):
            return refuse_token(token)
        if not full and not is_reading(scope["method"], scope["path"]):
            return HttpRefusal(
                403, "this token only searches and reads: ask the server's owner to change it"
            )
        return None


class SameUserMiddleware:
    """Passes only requests of this user's processes to an application."""

    def __init__(self, app: "ASGIApp") -> None:
        self._app = app

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "http" and not scope.get("state", {}).get(OWN_CLIENT):
            reason = (
                "this server belongs to another user: ask its owner to set LESSON_SEARCH_TOKEN and"
                " to give you the token"
            )
            refusal = HttpRefusal(403, reason)
            await answer(protect(send), refusal, to_person=is_shown(read_headers(scope)))
        else:
            await self._app(scope, receive, send)


def read_headers(scope: "Scope") -> dict[str, list[str]]:
    headers: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return headers


def is_shown(headers: dict[str, list[str]]) -> bool:
    """Tell whether a browser shows the answer to a person: only then it asks for HTML."""
    return any("text/html" in kinds for kinds in headers.get("accept", ()))


def protect(send: "Send") -> "Send":
    async def send_protected(message: "Message") -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *PROTECTION]}
        await send(message)

    return send_protected


def opens_page(scope: "Scope", headers: dict[str, list[str]]) -> bool:
    """Tell whether a browser follows a link to the page, which has nothing to read or to change."""
    to_document = headers.get("sec-fetch-dest") == ["document"]
    return (scope["method"], scope["path"]) == ("GET", "/") and to_document


def is_reading(method: str, path: str) -> bool:
    """Tell whether a request only searches and reads what a team shares."""
    if method in READING:
        return not any(path == own or path.startswith(f"{own}/") for own in OWN)
    return (method, path) in SEARCHES or (method == "POST" and bool(SEARCH.fullmatch(path)))


def read_token(header: str) -> str:
    """Return the token in an Authorization header, or "".

    A browser sends it as the password of any user name (RFC 7617).
    """
    kind, _, value = header.partition(" ")
    if kind.lower() == "bearer":
        return value.strip()
    if kind.lower() == "basic":
        with suppress(ValueError):
            return b64decode(value.strip(), validate=True).decode().partition(":")[2]
    return ""
