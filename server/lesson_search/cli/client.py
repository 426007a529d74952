"""A client of the lesson search server, or of the same service in this process if none runs."""

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

import httpx2

from hookwright_console.errors import ReportedError
from hookwright_console.network.http_client import choose_connections
from hookwright_console.network.peers import OtherUserError, is_loopback
from hookwright_console.network.server_address import read_address
from hookwright_console.text import make_printable, shorten
from lesson_search.storage.data_folder import InUseError

if TYPE_CHECKING:
    from collections.abc import AsyncIterable

    from anyio.from_thread import BlockingPortal
    from starlette.types import ASGIApp

    from lesson_search.retrieval.calibrator import Progress
    from lesson_search.service.settings import Settings

TIMEOUT = 600.0  # seconds: a slow embedder needs minutes for a bulk
HEALTH_TIMEOUT = 10.0  # seconds, for requests that never wait
CONNECT_TIMEOUT = 3.0  # seconds
FOLDER_TIMEOUT = 10.0  # seconds, for another command to end or a server to start
RETRY_SECONDS = 0.1  # between two tries
MAX_BULK_BYTES = 8_000_000  # bytes of a request
MAX_BULK = 500  # records of a request
PAGE = 1_000  # records
LAST_PORT = 65_535
TOKEN = re.compile("[!-~]+")  # the characters that a header can hold
OK, UNAUTHORIZED, NOT_FOUND = 200, 401, 404
REFUSED = {409, 413, 422}
IN_PROCESS = "http://127.0.0.1"
NO_SERVER = "no server answers at {}: start lesson-search serve, or omit --url"

Answer = dict[str, Any]


class ClientError(ReportedError):
    """The server refused a request, or cannot be asked."""


class RequestRefusedError(ClientError):
    """The server refused the content of a request."""


class ServerDownError(ClientError):
    """Nobody listens on the server's address."""


class Client:
    """Sends requests to a server."""

    def __init__(self, http: httpx2.Client, name: str) -> None:
        self._http = http
        self._name = name

    def read_health(self) -> Answer:
        """Return the health of the server.

        Raises:
            ClientError: Nobody answers, or another kind of server does.

        """
        health = self._read(self._send("GET", "/api/health", timeout=HEALTH_TIMEOUT))
        if "lesson_count" not in health:
            raise ClientError(f"{self._name} is not a lesson search server: check the address")
        return health

    def query(self, request: Answer) -> Answer:
        """Return the answer of `/api/query`."""
        return self._ask("POST", "/api/query", request)

    def ingest(self, items: Sequence[Answer]) -> Iterator[list[Answer]]:
        """Send records in bulks, and yield the results of each bulk."""
        for bulk in split_bulks(items):
            yield self._ask("POST", "/api/ingest/bulk", bulk)["results"]

    def list_records(self, collection: str, category: str | None = None) -> Iterator[list[Answer]]:
        """Yield the records of a collection, page by page, ordered by id.

        Args:
            collection: lessons or skills.
            category: Only records in or below this category.

        """
        page: dict[str, str | int] = {"limit": PAGE}
        if category:
            page["category"] = category
        while True:
            answer = self._ask("GET", f"/api/{collection}", parameters=page)
            yield answer["records"]
            if answer.get("next") is None:
                return
            page["after"] = answer["next"]

    def get(self, collection: str, identity: str) -> Answer | None:
        """Return the record with an id, or None."""
        return self._find("GET", collection, identity)

    def change(self, collection: str, identity: str, changes: Answer) -> Answer:
        """Change some fields of a record."""
        return self._ask("PUT", build_path(collection, identity), changes)

    def remove(self, collection: str, identity: str) -> bool:
        """Remove a record; return whether there was one."""
        return self._find("DELETE", collection, identity) is not None

    def list_deleted(self) -> list[Answer]:
        """Return the collection and the id of each deleted record."""
        response = self._send("GET", "/api/deletions")
        if response.status_code == NOT_FOUND:
            return []  # a server that was not restarted since an update
        deleted: list[Answer] = self._read(response)["records"]
        return deleted

    def note_deleted(self, deleted: Sequence[Answer]) -> None:
        """Note records as deleted, by their collections and ids."""
        for start in range(0, len(deleted), MAX_BULK):
            bulk = list(deleted[start : start + MAX_BULK])
            self._ask("POST", "/api/deletions", {"records": bulk})

    def recategorize(self, *, by_hand: bool, preview: bool) -> list[Answer]:
        """Classify records again, and return those whose categories change."""
        request = {"by_hand": by_hand, "preview": preview}
        moved: list[Answer] = self._ask("POST", "/api/recategorize", request)["moved"]
        return moved

    def count_categories(self) -> dict[str, int]:
        counts: dict[str, int] = self._ask("GET", "/api/categories")["categories"]
        return counts

    def _find(self, method: str, collection: str, identity: str) -> Answer | None:
        """Return the answer about a record, or None if no record has the id."""
        response = self._send(method, build_path(collection, identity))
        return None if response.status_code == NOT_FOUND else self._read(response)

    def _ask(
        self,
        method: str,
        path: str,
        body: Answer | bytes | None = None,
        parameters: Mapping[str, str | int] | None = None,
    ) -> Answer:
        return self._read(self._send(method, path, body, parameters))

    def _send(
        self,
        method: str,
        path: str,
        body: Answer | bytes | None = None,
        parameters: Mapping[str, str | int] | None = None,
        timeout: float = TIMEOUT,
    ) -> httpx2.Response:
        """Return the response to a request, or raise ClientError if there is none."""
        if isinstance(body, dict):
            body = json.dumps(body).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            return self._http.request(
                method,
                path,
                content=body,
                headers=headers,
                params=parameters,
                timeout=httpx2.Timeout(timeout, connect=CONNECT_TIMEOUT),
            )
        except OtherUserError as error:
            raise ClientError(str(error)) from None
        except httpx2.ConnectError:
            raise ServerDownError(NO_SERVER.format(self._name)) from None
        except httpx2.TimeoutException:
            raise ClientError(
                f"{self._name} did not answer in time: try again, or restart the server"
            ) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            reason = make_printable(str(error) or type(error).__name__)
            raise ClientError(f"cannot ask {self._name}: {reason}") from None

    def _read(self, response: httpx2.Response) -> Answer:
        try:
            answer = json.loads(response.content)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise ClientError(
                f"{self._name} answered {response.status_code} and is not a lesson search server:"
                " check the address"
            )
        if response.status_code == UNAUTHORIZED:
            raise ClientError(f"{self._name} needs its token: set LESSON_SEARCH_TOKEN")
        if response.status_code != OK:
            detail = answer.get("detail", f"{self._name} answered {response.status_code}")
            kind = RequestRefusedError if response.status_code in REFUSED else ClientError
            raise kind(make_printable(str(detail)))
        return answer


@contextmanager
def connect(
    settings: "Settings",
    url: str | None = None,
    token: str | None = None,
    progress: "Progress | None" = None,
) -> Iterator[Client]:
    """Yield a client, once no other command uses the data folder.

    Args:
        settings: The data folder, and the settings to use if no server runs.
        url: The address of the server; None for the one that uses the data folder, if any.
        token: The token of the server.
        progress: As for `open_service`.

    Raises:
        ClientError: The server cannot be asked.
        ReportedError: No server runs, and the service cannot be opened in this process.

    """
    with ExitStack() as stack:
        if url:
            client = stack.enter_context(open_server(url, token))
        else:
            client = connect_to_folder(stack, settings, token, progress)
        yield client


def connect_to_folder(
    stack: ExitStack, settings: "Settings", token: str | None, progress: "Progress | None"
) -> Client:
    """Return a client of the server that uses the data folder, or of the service here."""
    deadline = time.monotonic() + FOLDER_TIMEOUT
    while True:
        found = read_address(settings.data)
        try:
            return stack.enter_context(
                open_server(found[0], token) if found else open_in_process(settings, progress)
            )
        except (InUseError, ServerDownError):  # a server saves its address before it listens
            if time.monotonic() > deadline:
                raise
        time.sleep(RETRY_SECONDS)


@contextmanager
def open_server(address: str, token: str | None) -> Iterator[Client]:
    """Yield a client of a server that answers."""
    with open_http(address, token) as http:
        client = Client(http, shorten(address))
        client.read_health()
        yield client


def open_http(address: str, token: str | None) -> httpx2.Client:
    """Return an HTTP client for a server.

    Raises:
        ClientError: The address or the token is invalid.

    """
    try:
        url = httpx2.URL(address)
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        url = httpx2.URL()
    known = url.scheme in {"http", "https"} and url.host and (url.port or 0) <= LAST_PORT
    if not known or url.query or url.fragment:
        raise ClientError(
            f"expected a server address such as http://127.0.0.1:7731, got '{shorten(address)}'"
        )
    if url.userinfo:
        raise ClientError("the address holds a password: set LESSON_SEARCH_TOKEN instead")
    if token and not TOKEN.fullmatch(token):
        raise ClientError("LESSON_SEARCH_TOKEN has characters that no token has: correct it")
    try:
        connections = choose_connections(address, proxies=not is_local(url.host))
    except OtherUserError as error:
        raise ClientError(str(error)) from None
    except OSError:
        raise ServerDownError(NO_SERVER.format(shorten(address))) from None
    return httpx2.Client(
        base_url=url,
        headers={"Authorization": f"Bearer {token}"} if token else {},
        **connections,
    )


def is_local(host: str) -> bool:
    return is_loopback(host) or host in {"0.0.0.0", "::"}  # noqa: S104 - nothing listens on them


@contextmanager
def open_in_process(settings: "Settings", progress: "Progress | None") -> Iterator[Client]:
    from anyio.from_thread import start_blocking_portal

    from lesson_search.server.application import build_app
    from lesson_search.service.startup import open_service

    with open_service(settings, progress) as service, start_blocking_portal() as portal:
        transport = InProcessTransport(build_app(service), portal)
        with httpx2.Client(base_url=IN_PROCESS, transport=transport) as http:
            yield Client(http, "lesson search")


def build_path(collection: str, identity: str) -> str:
    """Return the path of a record; dots are quoted, so that no id means a parent folder."""
    return f"/api/{collection}/{quote(identity, safe='').replace('.', '%2E')}"


def split_bulks(items: Sequence[Answer]) -> Iterator[bytes]:
    bulk: list[bytes] = []
    size = 0
    for item in items:
        row = json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode()
        if bulk and (len(bulk) == MAX_BULK or size + len(row) > MAX_BULK_BYTES):
            yield b'{"lessons":[' + b",".join(bulk) + b"]}"
            bulk, size = [], 0
        bulk.append(row)
        size += len(row) + 1
    if bulk:
        yield b'{"lessons":[' + b",".join(bulk) + b"]}"


class InProcessTransport(httpx2.BaseTransport):
    """Passes the requests of an `httpx2.Client` to an application in this process."""

    def __init__(self, app: "ASGIApp", portal: "BlockingPortal") -> None:
        self._transport = httpx2.ASGITransport(app)
        self._portal = portal

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        return self._portal.call(self._answer, request)

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        answer = await self._transport.handle_async_request(request)
        parts = [part async for part in cast("AsyncIterable[bytes]", answer.stream)]
        return httpx2.Response(answer.status_code, headers=answer.headers, content=b"".join(parts))
