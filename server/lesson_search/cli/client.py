"""Query the server that uses the data folder, or the local lesson service if none is running.

`ServerClient` has the `LessonService` methods that commands call.
"""

import json
import re
import time
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote

import httpx2

from hookwright_console.errors import MisusedError, RefusedError, ReportedError
from hookwright_console.network.http_client import choose_connections, explain_error
from hookwright_console.network.peers import is_loopback
from hookwright_console.network.server_address import read_address
from hookwright_console.text import make_printable, shorten
from lesson_search.records import (
    KINDS,
    CollectionName,
    Key,
    Lesson,
    Skill,
    take_fields,
    to_row,
)
from lesson_search.service.edits import (
    CategoryChange,
    ChangedRecordError,
    IngestResult,
    UnknownRecordError,
)
from lesson_search.service.review import Finding
from lesson_search.storage.data_folder import InUseError

if TYPE_CHECKING:
    from lesson_search.service.lesson_service import LessonService
    from lesson_search.service.settings import Settings

TIMEOUT = 600.0  # seconds: a slow embedder takes minutes for a bulk request
HEALTH_TIMEOUT = 10.0  # seconds, for requests that never block
CONNECT_TIMEOUT = 3.0  # seconds
FOLDER_TIMEOUT = 10.0  # seconds for another command to finish or a server to start
RETRY_SECONDS = 0.1  # seconds between two attempts
MAX_BULK = 300  # records per request: even the longest records fit
PAGE = 1_000  # records
LAST_PORT = 65_535
TOKEN = re.compile("[!-~]+")  # characters allowed in a header
OK, UNAUTHORIZED = 200, 401
ERRORS: dict[int, type[ReportedError]] = {
    404: UnknownRecordError,
    409: RefusedError,
    412: ChangedRecordError,
    413: RefusedError,
    422: RefusedError,
}
NO_SERVER = "no server answers at {}: start lesson-search serve, or omit --url"

Answer = dict[str, Any]
Client: TypeAlias = "LessonService | ServerClient"


class ClientError(ReportedError):
    """The server rejected a request or is unreachable."""


class ServerDownError(ClientError):
    """Nothing is listening on the server's address."""


class ServerClient:
    """Sends requests to a server; has the methods of `LessonService`."""

    def __init__(self, http: httpx2.Client, name: str) -> None:
        self._http = http
        self._name = name

    def read_health(self) -> Answer:
        """Return the server's health; raises ClientError if it is another kind of server."""
        health = self._ask("GET", "/api/health", timeout=HEALTH_TIMEOUT)
        if "lesson_count" not in health:
            raise ClientError(f"{self._name} is not a lesson search server: check the address")
        return health

    def query(self, prompt: str, **fields: Any) -> Answer:
        return self._ask("POST", "/api/query", {"prompt": prompt, **fields})

    def ingest(
        self,
        records: Sequence[Lesson | Skill],
        forced: Container[int] = (),
        restored: Container[int] = (),
    ) -> list[IngestResult]:
        items = [
            {**build_item(record), "force": number in forced, "restore": number in restored}
            for number, record in enumerate(records)
        ]
        rows = self._ask("POST", "/api/ingest/bulk", {"lessons": items})["results"]
        return [IngestResult(**{**row, "categories": tuple(row["categories"])}) for row in rows]

    def list_records(
        self, collection: CollectionName, category: str | None = None, project: str | None = None
    ) -> Iterator[Lesson | Skill]:
        chosen = {"category": category, "project": project}
        page: dict[str, str | int] = {"limit": PAGE, **{k: v for k, v in chosen.items() if v}}
        while True:
            answer = self._ask("GET", f"/api/{collection}", parameters=page)
            for row in answer["records"]:
                yield take_fields(KINDS[collection], row)
            if answer.get("next") is None:
                return
            page["after"] = answer["next"]

    def find(self, key: Key) -> Lesson | Skill | None:
        try:
            return take_fields(KINDS[key[0]], self._ask("GET", build_path(*key)))
        except UnknownRecordError:
            return None

    def change(
        self,
        collection: CollectionName,
        identity: str,
        *,
        version: str | None = None,
        force: bool,
        **changes: object,
    ) -> None:
        body = {"force": force, **changes}
        self._ask("PUT", build_path(collection, identity), body, version=version)

    def remove(self, collection: CollectionName, identity: str, version: str | None = None) -> None:
        self._ask("DELETE", build_path(collection, identity), version=version)

    def list_findings(self) -> list[Finding]:
        return [
            Finding(
                **{
                    **row,
                    "lessons": tuple(take_fields(Lesson, each) for each in row["lessons"]),
                    "versions": tuple(row["versions"]),
                }
            )
            for row in self._ask("GET", "/api/review")["findings"]
        ]

    def list_kept(self) -> list[str]:
        return [*map(str, self._ask("GET", "/api/review")["kept"])]

    def keep(self, identity: str) -> None:
        self._ask("POST", "/api/review/kept", {"id": identity})

    def list_deleted(self) -> list[Key]:
        rows = self._ask("GET", "/api/deletions")["records"]
        return [(row["collection"], row["id"]) for row in rows]

    def note_deleted(self, deleted: Sequence[Key]) -> None:
        rows = [{"collection": collection, "id": identity} for collection, identity in deleted]
        for start in range(0, len(rows), MAX_BULK):
            self._ask("POST", "/api/deletions", {"records": rows[start : start + MAX_BULK]})

    def recategorize(self, *, by_hand: bool = False, preview: bool = False) -> list[CategoryChange]:
        request = {"by_hand": by_hand, "preview": preview}
        return [
            CategoryChange(row["collection"], row["id"], tuple(row["before"]), tuple(row["after"]))
            for row in self._ask("POST", "/api/recategorize", request)["moved"]
        ]

    def count_categories(self) -> dict[str, int]:
        counts: dict[str, int] = self._ask("GET", "/api/categories")["categories"]
        return counts

    def _ask(
        self,
        method: str,
        path: str,
        body: Answer | None = None,
        *,
        parameters: Mapping[str, str | int] | None = None,
        timeout: float = TIMEOUT,
        version: str | None = None,
    ) -> Answer:
        headers = {"Content-Type": "application/json"}
        if version:
            headers["If-Match"] = f'"{version}"'
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        try:
            response = self._http.request(
                method,
                path,
                content=None if body is None else content,
                headers=headers,
                params=parameters,
                timeout=httpx2.Timeout(timeout, connect=CONNECT_TIMEOUT),
            )
        except httpx2.ConnectError:
            raise ServerDownError(NO_SERVER.format(self._name)) from None
        except httpx2.TimeoutException:
            raise ClientError(
                f"{self._name} did not respond in time: try again, or restart the server"
            ) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
            raise ClientError(f"cannot ask {self._name}: {explain_error(error)}") from None
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
            is_sent = "Authorization" in self._http.headers
            what = "rejects the token: correct" if is_sent else "needs its token: set"
            raise ClientError(f"{self._name} {what} LESSON_SEARCH_TOKEN")
        if response.status_code != OK:
            detail = answer.get("detail", f"{self._name} answered {response.status_code}")
            raise ERRORS.get(response.status_code, ClientError)(make_printable(str(detail)))
        return answer


@contextmanager
def connect(
    settings: "Settings", url: str | None = None, token: str | None = None
) -> Iterator[Client]:
    """Yield a client once no other command is using the data folder; raises ReportedError.

    Without a URL, the server that uses the data folder is asked, or else the lesson service is
    opened here.
    """
    with ExitStack() as stack:
        deadline = time.monotonic() + FOLDER_TIMEOUT
        while True:
            try:
                found = (url, 0) if url else read_address(settings.data)
                opened = open_server(found[0], token) if found else open_own(settings)
                client = stack.enter_context(opened)
                break
            except (InUseError, ServerDownError):  # a server saves its address first
                if url or time.monotonic() > deadline:
                    raise
            time.sleep(RETRY_SECONDS)
        yield client


def open_own(settings: "Settings") -> AbstractContextManager[Client]:
    from lesson_search.service.startup import open_service

    return open_service(settings)


@contextmanager
def open_server(address: str, token: str | None) -> Iterator[ServerClient]:
    with open_http(address, token) as http:
        client = ServerClient(http, shorten(address))
        client.read_health()
        yield client


def open_http(address: str, token: str | None) -> httpx2.Client:
    try:
        url = httpx2.URL(address)
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        url = httpx2.URL()
    known = url.scheme in {"http", "https"} and url.host and (url.port or 0) <= LAST_PORT
    if not known or url.query or url.fragment:
        raise MisusedError(
            f"expected a server address such as http://127.0.0.1:7731, got '{shorten(address)}'"
        )
    if url.userinfo:
        raise MisusedError("the address holds a password: set LESSON_SEARCH_TOKEN instead")
    check_token("LESSON_SEARCH_TOKEN", token or "")
    # Nothing listens on the addresses of all interfaces.
    is_local = is_loopback(url.host) or url.host in {"0.0.0.0", "::"}  # noqa: S104
    try:
        connections = choose_connections(address, proxies=not is_local)
    except OSError:
        raise ServerDownError(NO_SERVER.format(shorten(address))) from None
    return httpx2.Client(
        base_url=url,
        headers={"Authorization": f"Bearer {token}"} if token else {},
        **connections,
    )


def check_token(name: str, token: str) -> str:
    """Return a variable's token; raises ClientError if a header cannot contain it."""
    if token and not TOKEN.fullmatch(token):
        raise ClientError(f"{name} has characters that no token has: correct it")
    return token


def build_item(record: Lesson | Skill) -> Answer:
    """Return a record in the server's request format, without empty fields.

    Empty categories are sent only for a record that is already classified; otherwise the server
    classifies it.
    """
    always = {"source", "source_file"} | ({"categories"} if record.classified else set())
    item = {**to_row(record), "ingested": record.ingested}
    return {field: value for field, value in item.items() if value or field in always}


def build_path(collection: str, identity: str) -> str:
    """Return a record's URL path; dots are quoted, so that no ID can name a parent folder."""
    return f"/api/{collection}/{quote(identity, safe='').replace('.', '%2E')}"
