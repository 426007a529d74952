"""Serve a documentation site on the loopback interface, with responses that the test sets."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from ssl import SSLContext
from zlib import compress

from .loopback_server import LoopbackServer

OK = 200
WORDS = "How to configure, extend, test and deploy it is told here at some length. " * 8


@dataclass(frozen=True)
class Answer:
    """A site's response to a path.

    Args:
        body: The body, or an iterable of chunks.
        kind: The content type of the body.
        status: The HTTP status.
        headers: Further headers; a Content-Length header replaces the actual length.

    """

    body: bytes | Callable[[], Iterator[bytes]] = b""
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Site:
    """A running site.

    Args:
        answers: The responses, keyed by path and query.
        url: The site's URL.
        missing: The response for all other paths.
        asked: The requested paths.

    """

    answers: dict[str, Answer]
    url: str = ""
    missing: Answer = field(default_factory=lambda: Answer(b"Not found", status=404))
    asked: list[str] = field(default_factory=list)


def page(title: str, *links: str, head: str = "", lang: str = "en", text: str = WORDS) -> Answer:
    anchors = "".join(f'<a href="{link}">{link}</a>' for link in links)
    return Answer(
        f"<!DOCTYPE html><html lang={lang}><head><title>{title}</title>{head}</head>"
        f"<body><h1>{title}</h1><p>{title}: {text}</p>{anchors}</body></html>".encode()
    )


def build_inventory(version: str, lines: bytes) -> bytes:
    head = f"# Sphinx inventory version 2\n# Project: Example\n# Version: {version}\n".encode()
    return head + b"# The remainder of this file is compressed using zlib.\n" + compress(lines)


def redirect(target: str, status: int = 302) -> Answer:
    return Answer(status=status, headers={"Location": target})


class SiteHandler(BaseHTTPRequestHandler):
    """Serves a site's pages, directly or as a proxy for any host."""

    protocol_version = "HTTP/1.1"
    site: Site

    def handle(self) -> None:
        with suppress(ConnectionError):
            super().handle()

    def do_GET(self) -> None:
        self.site.asked.append(self.path)
        path = self.path if self.path.startswith("/") else "/" + self.path.split("/", 3)[3]
        answer = self.site.answers.get(path, self.site.missing)
        body = answer.body if isinstance(answer.body, bytes) else b""
        tag = f'"{sha256(body).hexdigest()[:16]}"'
        unchanged = answer.status == OK and self.headers["If-None-Match"] == tag
        headers = {"Content-Type": answer.kind, "ETag": tag}
        if callable(answer.body):
            self.close_connection = True
        else:
            headers["Content-Length"] = "0" if unchanged else str(len(body))
        self.send_response(304 if unchanged else answer.status)
        for name, value in (headers | answer.headers).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        for part in answer.body() if callable(answer.body) else [b"" if unchanged else body]:
            self.wfile.write(part)

    do_HEAD = do_POST = do_GET  # noqa: N815 - as http.server names them

    def log_message(self, *_: object) -> None:
        """Suppress logging."""


@contextmanager
def serving(site: Site, context: SSLContext | None = None) -> Iterator[Site]:
    server = LoopbackServer(type("Handler", (SiteHandler,), {"site": site}))
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    with server:
        site.url = server.url.replace("http", "https" if context else "http") + "/"
        yield site
