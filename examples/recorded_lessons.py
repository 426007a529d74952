"""A recorded answer of the lesson server to a prompt, and a stand-in that repeats it.

The stand-in speaks HTTP like the server but always sends this answer, so that viewers need not
install the server. `make examples` records the answer again.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

RECORDED = Path(__file__).with_suffix(".json")


def read_recorded() -> dict[str, Any]:
    """Return the prompt, the server's lessons, and the text of its answer."""
    recorded: dict[str, Any] = json.loads(RECORDED.read_text("utf-8"))
    return recorded


@contextmanager
def repeat_answer(answer: str) -> Iterator[str]:
    """Run the stand-in on loopback for the duration of the block, and yield its address.

    Args:
        answer: The body of each response.

    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer.encode())))
            self.end_headers()
            self.wfile.write(answer.encode())

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
