"""Word a refusal: a line of JSON for a program, a page for a person with a browser."""

import json
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Send

UNAUTHORIZED = 401
# It loads nothing: whoever is refused gets no style sheet, either.
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
RELOAD = '<p><a href="">Sign in</a></p>'  # a browser asks for user and password again


@dataclass(frozen=True)
class HttpRefusal:
    """Why a request is refused."""

    status: int  # the status of the answer
    reason: str  # the reason and the way out, in a line for programs
    told: str = ""  # what a person is told instead, or "" for the reason


def refuse_token(token: str) -> HttpRefusal:
    """Return the refusal of a request with a wrong token, or with none."""
    problem = "This is not the token of this server" if token else "This server needs its token"
    return HttpRefusal(
        UNAUTHORIZED,
        "the token is missing or wrong: send Authorization: Bearer TOKEN",
        f"{problem}: sign in with the token as the password, and any user name. Whoever runs the"
        " server has it.",
    )


async def answer(send: "Send", refusal: HttpRefusal, *, to_person: bool) -> None:
    """Answer with a refusal: a page if a browser shows it to a person, or else JSON."""
    headers = [(b"connection", b"close")]  # the rest of the request is not read
    if to_person:
        body = show(refusal).encode()
        headers.append((b"content-type", b"text/html; charset=utf-8"))
        headers.append((b"content-security-policy", POLICY.encode()))
    else:
        body = json.dumps({"detail": refusal.reason}).encode()
        headers.append((b"content-type", b"application/json"))
    headers.append((b"content-length", str(len(body)).encode()))
    if refusal.status == UNAUTHORIZED:
        headers.append((b"www-authenticate", b'Basic realm="lesson-search", charset="UTF-8"'))
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def show(refusal: HttpRefusal) -> str:
    reason = refusal.reason[:1].upper() + refusal.reason[1:]
    asks = refusal.status == UNAUTHORIZED
    return PAGE.format(
        style=STYLE,
        title="Not signed in" if asks else "Refused",
        text=escape(refusal.told or f"{reason}."),
        way_out=RELOAD if asks else "",
    )
