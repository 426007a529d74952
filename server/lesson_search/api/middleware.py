"""Reject requests from other web sites, for unknown host names, or without the token.

Without a token, other users of this machine are rejected if the operating system reports who owns a
connection. An oversized body is rejected before it is read.

A web page can make its own host name resolve to this machine, and then read everything as if from
its own site; only the Host header reveals this. Requests from another site have an Origin or
Sec-Fetch-Site header.
"""

import hmac
import re
from base64 import b64decode, b64encode
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response

from hookwright_documentation.serving.registration import PATH

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

UNAUTHORIZED = 401
SCHEMES = ('Basic realm="lesson-search", charset="UTF-8"', "Bearer")
# The error page loads no style sheet, since that request would be rejected too.
STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}"
    "h1{font-size:1.4rem;margin:0}a{color:inherit}"
)
PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>{title}</title>
  <style>{style}</style>
</head>
<body><main><h1>{title}</h1><p>{text}</p>{way_out}</main></body>
</html>
"""
POLICY = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SIGN_IN = (
    "This {}: sign in with the token as the password, and any user name. Whoever runs the server"
    " has it."
)
RELOAD = '<p><a href="">Sign in</a></p>'  # makes the browser ask for user and password again
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MAX_BODY = 32_000_000  # bytes
DIGITS = 15  # maximum digits of a content length
OWN_CLIENT = "own_client"  # request state key: whether a process of this user sent it
OTHER_USER = (
    "this server belongs to another user: ask its owner to set LESSON_SEARCH_TOKEN and to give you"
    " the token"
)
READING = {"GET", "HEAD"}
# Routes that search, with the query in the body.
SEARCH = re.compile(
    rf"{PATH}|/api/(?:query|explain|databases/[^/]+/search)"
    "|/hooks/(?:user-prompt-submit|failed-command)"
)
# Routes that run the hooks of projects on the server's machine, or reveal errors of its sessions,
# and routes for deleted records. A path that ends with a newline matches the same route.
OWN = re.compile(r"/api/(?:activity|hooks|review|deletions/recent)(?:[/\n]|\Z)")
# Headers of each response. Some browsers do not report the requesting site: they must not show a
# response in a frame, run it as a script, or store on disk a record that may be deleted later.
PROTECTION = (
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)
HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/?#@\s]+)(?::\d{1,5})?")


def answer(refused: HTTPException, headers: Headers) -> Response:
    """Return the response to a rejected request: a page in a browser, or JSON for programs."""
    status, text = refused.status_code, f"{refused.detail[:1].upper()}{refused.detail[1:]}."
    asks = status == UNAUTHORIZED
    if asks:
        sent = read_token(headers.get("authorization", ""))
        text = SIGN_IN.format(
            "is not the token of this server" if sent else "server needs its token"
        )
    response: Response = JSONResponse({"detail": refused.detail}, status)
    # A browser that will display the response accepts HTML, and no other client does.
    if any("text/html" in kinds for kinds in headers.getlist("accept")):
        title, way_out = ("Not signed in", RELOAD) if asks else ("Refused", "")
        page = PAGE.format(style=STYLE, title=title, text=escape(text), way_out=way_out)
        response = HTMLResponse(page, status, {"content-security-policy": POLICY})
    response.headers["connection"] = "close"  # since the rest of the request is not read
    for scheme in SCHEMES if asks else ():
        response.headers.append("www-authenticate", scheme)
    return response


@dataclass(frozen=True)
class Tokens:
    """A server's bearer tokens."""

    full: str  # grants full access
    read: str | None = None  # grants read-only access, or None


class AccessMiddleware:
    """Passes only permitted requests to an application.

    Without `hosts`, any host name is accepted, which is only safe with tokens. Without `tokens`,
    requests need no token. With `only_own`, only requests from processes of this user are accepted.
    """

    def __init__(
        self,
        app: "ASGIApp",
        hosts: Collection[str] | None,
        tokens: Tokens | None,
        *,
        only_own: bool = False,
    ) -> None:
        self._app = app
        self._hosts = None if hosts is None else {host.lower() for host in hosts}
        self._tokens = tokens
        self._only_own = only_own

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # the API has no WebSockets
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            headers = Headers(scope=scope)
            try:
                self._check(scope, headers)
            except HTTPException as refused:
                await answer(refused, headers)(scope, receive, protect(send))
            else:
                await self._app(scope, receive, protect(send))

    def _check(self, scope: "Scope", headers: Headers) -> None:
        """Raise HTTPException, with the reason and what to do in one line, to reject a request."""
        if self._only_own and not scope.get("state", {}).get(OWN_CLIENT):
            raise HTTPException(403, OTHER_USER)
        host, *others = headers.getlist("host") or [""]
        named = HOST.fullmatch(host)
        known = named and (self._hosts is None or named[1].lower() in self._hosts)
        if others or not known:
            raise HTTPException(
                421, "unknown host name: use the address that the server was started with"
            )
        # A team's server, which has tokens, may be behind a TLS proxy that forwards plain HTTP.
        schemes = ("http", "https") if self._tokens else (scope.get("scheme", "http"),)
        own = {f"{scheme}://{host}".lower() for scheme in schemes}
        foreign = any(origin.lower() not in own for origin in headers.getlist("origin"))
        site = headers.get("sec-fetch-site", "none")
        if foreign or (site not in {"none", "same-origin"} and not opens_page(scope, headers)):
            raise HTTPException(
                403, "requests from other sites are refused: use a program, or the page at /"
            )
        if tokens := self._tokens:
            token = read_token(headers.get("authorization", "")).encode()
            full = hmac.compare_digest(token, tokens.full.encode())
            read = hmac.compare_digest(token, (tokens.read or "").encode())
            if not token or not (full or read):
                raise HTTPException(
                    UNAUTHORIZED, "the token is missing or wrong: send Authorization: Bearer TOKEN"
                )
            if not full and not is_reading(scope["method"], scope["path"]):
                raise HTTPException(
                    403, "this token is read-only: ask the server's owner to change it"
                )
        length = headers.get("content-length", "")
        if length.isdecimal() and (len(length) > DIGITS or int(length) > MAX_BODY):
            raise HTTPException(413, f"the body is too large: send {MAX_BODY:,} bytes at most")


def protect(send: "Send") -> "Send":
    async def send_protected(message: "Message") -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), *PROTECTION]}
        await send(message)

    return send_protected


def opens_page(scope: "Scope", headers: Headers) -> bool:
    """Return whether a browser is opening the page itself, which contains no data."""
    to_document = headers.getlist("sec-fetch-dest") == ["document"]
    return (scope["method"], scope["path"]) == ("GET", "/") and to_document


def is_reading(method: str, path: str) -> bool:
    """Return whether a request only searches or reads data that a team shares."""
    if method in READING:
        return not OWN.match(path)
    return method == "POST" and bool(SEARCH.fullmatch(path))


def read_token(header: str) -> str:
    """Return the token in an Authorization header, or "".

    Browsers send the token as a password, with any user name (RFC 7617).
    """
    kind, _, value = header.partition(" ")
    if kind.lower() == "bearer":
        return value.strip()
    if kind.lower() == "basic":
        with suppress(ValueError):
            return b64decode(value.strip(), validate=True).decode().partition(":")[2]
    return ""
