"""The HTTP server."""

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import uvicorn
from anyio.to_thread import current_default_thread_limiter
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from hookwright_console.errors import ReportedError
from hookwright_console.network.peers import can_find_owner, is_loopback, is_own_client
from hookwright_console.network.server_address import (
    LOCAL,
    find_socket,
    remove_address,
    write_address,
)
from hookwright_documentation.databases import FOLDER
from hookwright_documentation.serving.tool_runner import ToolRunner
from lesson_search.api.middleware import LOOPBACK, OWN_CLIENT, Tokens
from lesson_search.background.refreshes import Refreshes
from lesson_search.server.application import build_app
from lesson_search.server.slow_requests import SlowRequests
from lesson_search.service.lesson_service import LessonService
from lesson_search.service.settings import Settings
from lesson_search.service.startup import open_service
from lesson_search.storage.chroma import StoreError

CHECK = 60.0  # seconds between checks of the embedder and the caches
MANY = 1_000  # new records that take a second or more to embed again
CATCH_UP = 2.0  # seconds between checks for other servers' writes
THREADS = 8  # for changes, which run one at a time; more would only use memory
TURN = 0.001  # seconds before a thread yields to others; a search takes twice as long
LAST = 30  # seconds to finish open requests when the server stops
CONNECTIONS = 4_096  # concurrent connections and open files
IDLE = 75  # seconds that an idle connection stays open
MAX_HEAD = 100_000  # bytes of a request's line and headers, or between two chunks of its body
LIMITS_ITSELF = not hasattr(AutoHTTPProtocol, "on_body")  # only h11 limits it (to 64 kB)
NEVER_AWAITED = "coroutine 'Server.serve'"  # Python's warning if Ctrl-C arrives before it runs
CLOSED = "; the handler is closed"  # uvloop's message after writing to a disconnected client

LOG = logging.getLogger(__name__)


def serve(
    settings: Settings,
    host: str,
    port: int,
    announce: Callable[[str, LessonService], None],
    *,
    tokens: Tokens | None = None,
    search_processes: int = 0,
) -> None:
    """Serve until SIGINT or SIGTERM, then finish the accepted requests; raises ReportedError.

    Without tokens, the host must be a loopback address. `announce` is called with the URL once the
    server is ready. `search_processes` is the number of processes that search documentation, 0 for
    this one.
    """
    if not tokens and not is_loopback(host):
        raise ReportedError(
            f"other machines can reach {host}: set LESSON_SEARCH_TOKEN, or use --host 127.0.0.1"
        )
    # Until the server handles signals itself, SIGTERM acts like Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    raise_limit()
    sys.setswitchinterval(TURN)
    logging.getLogger("uvicorn.error").addFilter(is_worth_logging)
    warnings.filterwarnings("ignore", NEVER_AWAITED, RuntimeWarning)
    with (
        contextlib.suppress(KeyboardInterrupt),
        open_service(settings) as service,
        bind(host, port) as listener,
        maintaining(service),
        contextlib.closing(Refreshes()) as refreshes,
    ):
        name, port = f"[{host}]" if ":" in host else host, listener.getsockname()[1]
        url = f"http://{name}:{port}"
        if named := os.environ.get(FOLDER, ""):
            os.environ[FOLDER] = str(Path(named).absolute())
        # Child processes search this folder first for imports, so it must not be writable for other
        # users.
        os.chdir(Path(sys.executable).parent)
        runner = ToolRunner(search_processes)
        hosts, only_own = None if tokens else (*LOOPBACK, name), not tokens and can_find_owner()
        app = build_app(
            service,
            hosts,
            tokens,
            runner=runner,
            refreshes=refreshes,
            only_own=only_own,
        )
        server = Server(app, lambda: announce(url, service))
        write_address(settings.data, url)
        try:
            server.run(sockets=[listener, *bind_private(host, port)])  # which closes them
        finally:
            remove_address(settings.data)


class Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type] # it is chosen at run time
    """A connection that records whether its client is a process of this user.

    The client is checked once, when it connects. The connection is closed if a request's line and
    headers, or the overhead between chunks of its body, are too large, since uvicorn would collect
    them without limit.
    """

    _head = 0  # bytes since a request or a chunk of its body was complete
    _has_body = False  # whether the last bytes belong to a body

    def __init__(self, *, app_state: dict[str, Any], **others: Any) -> None:
        self._request_state = app_state.copy()
        super().__init__(app_state=self._request_state, **others)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._request_state[OWN_CLIENT] = is_own_client(transport.get_extra_info("socket"))
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        before, self._has_body = self.cycle, False
        super().data_received(data)
        if self._has_body or self.cycle is not before:
            self._head = 0
            return
        self._head += len(data)
        if self._head <= MAX_HEAD or self.transport.is_closing() or LIMITS_ITSELF:
            return
        if before is not None and before.more_body and before.response_started:
            self.transport.close()  # the client would not understand a second response
        else:
            self.send_400_response("The line and the headers of the request are too large.")

    def on_body(self, body: bytes) -> None:
        self._has_body = True
        super().on_body(body)


class Server(uvicorn.Server):
    """A server that calls a function when it is ready."""

    def __init__(self, app: object, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,  # type: ignore[arg-type] # its types and Starlette's differ
                access_log=False,
                http=Protocol,
                lifespan="on",
                log_config=None,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=LAST,
                timeout_keep_alive=IDLE,
                ws="none",  # a WebSocket upgrade is answered like any other request
            )
        )
        self._ready = ready
        self._slow = SlowRequests()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        current_default_thread_limiter().total_tokens = THREADS
        await super().startup(sockets)
        self._ready()

    async def on_tick(self, counter: int) -> bool:
        self._slow.close(self.server_state.connections)
        return await super().on_tick(counter)


@contextlib.contextmanager
def bind(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a bound socket that does not listen yet, so that no client connects and waits."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                reason = "port in use (try --port)"
            else:
                reason = f"{error.strerror or error} (try another --host or --port)"
            raise ReportedError(f"cannot listen on {host}:{port}: {reason}") from None
        yield listener


def bind_private(host: str, port: int) -> list[socket.socket]:
    """Return a bound Unix socket for this user's programs in a list, which is empty if impossible.

    The socket's file remains when the server stops, so that clients send nothing to another program
    that listens on the port.
    """
    if sys.platform == "win32" or host not in {*LOCAL, "0.0.0.0"}:  # noqa: S104 - as the user says
        return []
    path = find_socket(port)
    listener = socket.socket(socket.AF_UNIX)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.chmod(0o700)
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(str(path)) == 0:  # used by a server in a container with this home
                raise FileExistsError
        path.unlink(missing_ok=True)
        listener.bind(str(path))
    except OSError:  # including another user's folder, or an overlong name
        listener.close()
        return []
    return [listener]


@contextlib.contextmanager
def maintaining(service: LessonService) -> Iterator[None]:
    ended = threading.Event()
    thread = threading.Thread(target=run_maintenance, args=(service, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(timeout=1)  # do not wait for an unresponsive service


def run_maintenance(service: LessonService, ended: threading.Event) -> None:
    """Sync with the store every two seconds; check the embedder and save caches each minute.

    The caches are saved earlier if many records are new, so that a restart after a kill is fast.
    """
    checked = time.monotonic()
    while not ended.wait(CATCH_UP):
        try:
            service.lessons.catch_up()
            service.skills.catch_up()
            service.store_is_up = True
        except StoreError as error:
            if service.store_is_up:
                LOG.warning("%s", error)
            service.store_is_up = False
        is_due = time.monotonic() - checked >= CHECK
        if is_due:
            service.embedder.check()
            checked = time.monotonic()
        for collection in (service.lessons, service.skills):
            if is_due or collection.unsaved > MANY:
                collection.save_cache()


def raise_limit() -> None:
    if sys.platform == "win32":
        return
    import resource

    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS if most == resource.RLIM_INFINITY else min(CONNECTIONS, most)
    if least != resource.RLIM_INFINITY and least < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def is_worth_logging(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    # When a client disconnects, uvicorn notifies only the last of several pipelined requests.
    left = isinstance(error, RuntimeError) and str(error).endswith(CLOSED)
    return not left and not isinstance(error, asyncio.CancelledError)
