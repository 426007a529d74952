"""A fake of the lesson server's health endpoint."""

import json
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler


@dataclass(frozen=True)
class Health:
    """The response of the fake."""

    status: str = "healthy"
    embedder: str = "up"
    version: str = ""
    code: int = 200
    raw: bytes = b""
    status_line: bytes = b""


def answer_health(health: Health) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            fields = {"status": health.status, "embedder": health.embedder, "store": "up"}
            if health.status_line:
                self.wfile.write(health.status_line + b"\n\n")
                return
            body = json.dumps({**fields, "version": health.version, "lesson_count": 3}).encode()
            self.send_response(health.code)
            self.end_headers()
            self.wfile.write(health.raw or body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in http.server
            """Suppress logging."""

    return Handler
