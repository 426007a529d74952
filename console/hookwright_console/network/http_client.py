"""Send HTTP requests, but never to another user's server on this machine.

httpx2 is imported at the first request because the import is slow.
"""

import re
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from hookwright_console.errors import ReportedError
from hookwright_console.network.peers import OtherUserError, check_server_owner
from hookwright_console.network.server_address import find_own_socket
from hookwright_console.text import make_printable

if TYPE_CHECKING:
    import httpx2

MAX_ANSWER = 1_000_000  # bytes
Result = TypeVar("Result")
ERROR_NUMBER = re.compile(r"^\[Errno -?\d+\] ")


class UnreachableError(ReportedError):
    """The server does not respond; the message gives the reason, such as "Connection refused"."""


class NotHttpError(ReportedError):
    """The response is not HTTP, or the address is invalid."""


class TookTooLongError(Exception):
    """An operation did not finish in time."""


@dataclass(frozen=True)
class Answer:
    """A server's response."""

    status: int  # status code, such as 200
    content: bytes  # beginning of the body, as received
    location: str = ""  # redirect target, or ""


def ask(
    url: str,
    *,
    timeout: float,
    method: str = "GET",
    content: str | None = None,
    headers: Mapping[str, str] | None = None,
    proxies: bool = False,
    most: int = MAX_ANSWER,
) -> Answer:
    """Send one request and return the response, without following redirects.

    Args:
        url: The address.
        timeout: Seconds to wait for each part of the response.
        method: GET or POST.
        content: JSON to send, or None.
        headers: Request headers.
        proxies: Whether to use the proxies set in the environment.
        most: The maximum number of body bytes to read.

    Raises:
        UnreachableError: The server does not respond.
        OtherUserError: The server belongs to another user.
        NotHttpError: The response is not HTTP, or the address is invalid.

    """
    import httpx2

    sent = {"Accept-Encoding": "identity", **(headers or {})}
    if content is not None:
        sent["Content-Type"] = "application/json"
    try:
        with (
            httpx2.Client(timeout=timeout, **choose_connections(url, proxies=proxies)) as client,
            client.stream(method, url, content=content, headers=sent) as answer,
        ):
            body = next(answer.iter_raw(most), b"")
            location = str(answer.next_request.url) if answer.next_request else ""
            return Answer(answer.status_code, body, location)
    except (
        httpx2.ProtocolError,
        httpx2.InvalidURL,
        httpx2.UnsupportedProtocol,
        ValueError,
    ) as error:
        raise NotHttpError(explain_error(error)) from None
    except (httpx2.TransportError, OSError) as error:
        raise UnreachableError(explain_error(error)) from None


def run_within(seconds: float, run: Callable[[], Result]) -> Result:
    """Return the result of `run` or raise its error; raises TookTooLongError after the time limit.

    A socket timeout applies to each read, so a host that sends a byte occasionally could stall
    forever. Therefore `run` is called in a thread, which is abandoned after the time limit.
    """
    result: Future[Result] = Future()

    def try_it() -> None:
        try:
            result.set_result(run())
        except Exception as error:  # noqa: BLE001 - the other thread raises it
            result.set_exception(error)

    threading.Thread(target=try_it, daemon=True).start()
    if wait([result], seconds).not_done:
        raise TookTooLongError
    return result.result()


def choose_connections(url: str, *, proxies: bool) -> dict[str, Any]:
    """Return the options of an httpx2 client that refuses other users' servers on this machine.

    If this user's server at the address has a Unix socket, only that socket is used.

    Raises:
        OtherUserError: Another user may be listening on the socket.

    """
    import httpx2

    parts = httpx2.URL(url)
    if parts.scheme == "http" and (path := find_own_socket(parts.host, parts.port or 80)):
        return {"transport": httpx2.HTTPTransport(uds=str(path))}
    return {"trust_env": proxies, "event_hooks": {"request": [check_connection]}}


def check_connection(request: "httpx2.Request") -> None:
    server = request.url.raw_host.decode("ascii")
    asked = ""

    def trace(event: str, about: Mapping[str, Any]) -> None:
        nonlocal asked
        if event == "connection.connect_tcp.started":
            asked = about["host"]  # not the server if a proxy is used; any user can run a proxy
        elif event == "connection.connect_tcp.complete" and asked == server:
            stream = about["return_value"]
            try:
                check_server_owner(stream.get_extra_info("socket"))
            except OtherUserError:
                stream.close()
                raise

    request.extensions["trace"] = trace


def explain_error(error: Exception) -> str:
    """Return the first line of an error's message without its number, or else the error's type."""
    line = next(iter(str(error).splitlines()), "")
    return make_printable(ERROR_NUMBER.sub("", line)) or type(error).__name__
