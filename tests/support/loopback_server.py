"""Serve on the loopback interface during a `with` block."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self


class LoopbackServer(ThreadingHTTPServer):
    """A server on its own port, which runs in a separate thread."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        """Bind a free port.

        Args:
            handler: The class that handles requests.

        """
        super().__init__(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,))

    def __enter__(self) -> "Self":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"
