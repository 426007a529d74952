"""Serve a service over HTTP until somebody ends the process."""

import asyncio
import contextlib
import errno
import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import uvicorn
from anyio.to_thread import current_default_thread_limiter
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from hookwright_console.errors import ReportedError
from hookwright_console.peers import can_tell, is_loopback, is_own_client
from lesson_search.api.app import build_app
from lesson_search.api.middleware import LOOPBACK, OWN_CLIENT, SameUser
from lesson_search.lesson_service import LessonService
from lesson_search.retrieval.calibrator import Progress
from lesson_search.settings import Settings
from lesson_search.slow_requests import SlowRequests
from lesson_search.storage.data_folder import remove_address, write_address
from lesson_search.storage.store import StoreError
from lesson_search.wiring import open_service

if TYPE_CHECKING:
    from types import FrameType

CHECK = 60.0  # seconds from one look at the embedder, and at the snapshots, to the next
CATCH_UP = 2.0  # seconds from one look at what other servers wrote to the next
THREADS = 8  # that make changes, one after another; more would only take memory
TURN = 0.001  # seconds that a thread goes on which others wait for: a search takes two of them
LAST = 30  # seconds that requests are given which have come when the server is ended
CONNECTIONS = 4_096  # and files, at once
IDLE = 75  # seconds that a connection is kept without a request


LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Endpoint:
    """Where a server listens, and to whom.

    Args:
        host: The address: without a token, a loopback address.
        port: The port; 0 for a free one.
        token: What every request has to have, or None.

    """

    host: str
    port: int
    token: str | None = None


def serve(
    settings: Settings,
    endpoint: Endpoint,
    announce: Callable[[str, LessonService], None],
    progress: Progress | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; what was accepted until then is answered.

    Args:
        settings: What to work with.
        endpoint: Where to listen, and to whom.
        announce: Is called once the server is ready, with its URL.
        progress: As for `open_service`.

    Raises:
        ReportedError: The address cannot be listened at.
        ReportedError, StoreError, EmbedderError: As `open_service` does.

    """
    host, token = endpoint.host, endpoint.token
    if not token and not is_loopback(host):
        raise ReportedError(
            f"{host} can be reached by others: set LESSON_SEARCH_TOKEN, or listen at 127.0.0.1"
        )
    # Until there is a server to end: it ends by KeyboardInterrupt, as by Ctrl-C.
    signal.signal(signal.SIGTERM, interrupt)
    raise_limit()
    sys.setswitchinterval(TURN)
    logging.getLogger("uvicorn.error").addFilter(is_worth_logging)
    with (
        contextlib.suppress(KeyboardInterrupt),
        bind(host, endpoint.port) as listener,
        open_service(settings, progress) as service,
        maintaining(service),
    ):
        name = f"[{host}]" if ":" in host else host
        url = f"http://{name}:{listener.getsockname()[1]}"
        app = build_app(service, None if token else (*LOOPBACK, name), token)
        if not token and can_tell():
            app = SameUser(app)
        server = Server(app, lambda: announce(url, service))
        write_address(settings.data, url)
        try:
            server.run(sockets=[listener])
        finally:
            remove_address(settings.data)


class Protocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type] # it is chosen at run time
    """A connection that says in each request's state whether the client is this user's.

    It looks when the connection is made, so that what the client does afterwards is of no matter.
    """

    def __init__(self, *, app_state: dict[str, Any], **others: Any) -> None:
        """Prepare for a connection."""
        self._of_requests = app_state.copy()
        super().__init__(app_state=self._of_requests, **others)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note whose the client is."""
        self._of_requests[OWN_CLIENT] = is_own_client(transport.get_extra_info("socket"))
        super().connection_made(transport)


class Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, app: object, ready: Callable[[], None]) -> None:
        """Prepare to serve an application, and to call `ready` once it is served."""
        super().__init__(
            uvicorn.Config(
                app,  # type: ignore[arg-type] # as the interface of its types and ours differ
                access_log=False,
                http=Protocol,
                lifespan="off",
                log_config=None,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=LAST,
                timeout_keep_alive=IDLE,
            )
        )
        self._ready = ready
        self._slow = SlowRequests()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        current_default_thread_limiter().total_tokens = THREADS
        await super().startup(sockets)
        self._ready()

    async def on_tick(self, counter: int) -> bool:
        """Do what is to be done ten times a second; return whether to end."""
        self._slow.close(self.server_state.connections)
        return await super().on_tick(counter)


@contextlib.contextmanager
def bind(host: str, port: int) -> Iterator[socket.socket]:
    """Yield a socket of this address that does not listen yet, so that nobody waits meanwhile.

    Raises:
        ReportedError: The address is taken, or is none of this machine's.

    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                reason = "something else listens there: end that, or choose another --port"
            else:
                reason = f"{error.strerror or error}: choose another --host or --port"
            raise ReportedError(f"{host}:{port} cannot be listened at: {reason}") from None
        yield listener


@contextlib.contextmanager
def maintaining(service: LessonService) -> Iterator[None]:
    """Look after the embedder, the store and the snapshots, in a thread of its own."""
    ended = threading.Event()
    thread = threading.Thread(target=run_maintenance, args=(service, ended), daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(timeout=1)  # a look at a service that does not answer is not waited for


def run_maintenance(service: LessonService, ended: threading.Event) -> None:
    """Catch up with the store every two seconds, and do the rest each minute, until the end."""
    checked = time.monotonic()
    while not ended.wait(CATCH_UP):
        catch_up(service)
        if time.monotonic() - checked >= CHECK:
            service.embedder.check()
            service.lessons.save_cache()
            service.skills.save_cache()
            checked = time.monotonic()


def catch_up(service: LessonService) -> None:
    """Take over what others wrote, and note whether the store is up."""
    try:
        service.lessons.catch_up()
        service.skills.catch_up()
        service.store_is_up = True
    except StoreError as error:
        if service.store_is_up:
            LOG.warning("%s", error)
        service.store_is_up = False


def raise_limit() -> None:
    """Let this process have many connections at once, as far as the system lets it."""
    if sys.platform == "win32":
        return
    import resource

    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS if most == resource.RLIM_INFINITY else min(CONNECTIONS, most)
    if least != resource.RLIM_INFINITY and least < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Tell whether a log record is no request that was given up as the server ended."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


def interrupt(_signal: int, _frame: "FrameType | None") -> None:
    """End as Ctrl-C does."""
    raise KeyboardInterrupt
