"""Use a Chroma server by its HTTP API, since Chroma's own client waits for it without end.

Source: https://docs.trychroma.com/reference/server-api (version 2).
"""

import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from hookwright_console.network.peers import is_loopback
from lesson_search.storage.chroma import Chroma, MissingCollectionError, StoreError, as_store_error

TIMEOUT = 30  # seconds
PATH = "/tenants/default_tenant/databases/default_database"
CALLS = {
    "count": ("GET", "/count"),
    "get": ("POST", "/get"),
    "upsert": ("POST", "/upsert"),
    "delete": ("POST", "/delete"),
    "modify": ("PUT", ""),
}


class ChromaServer:
    """A Chroma server; the attributes and methods are those of Chroma."""

    shared = True
    page = 300  # the limit of Chroma Cloud
    folder = None
    way_out = "check that Chroma runs"

    def __init__(self, url: str, token: str = "") -> None:
        """Connect to a server at a URL such as https://chroma.example.com:8000.

        Raises StoreError if no Chroma answers there that accepts the token.
        """
        import httpx2

        host = check_url(url)
        logging.getLogger("httpx2").setLevel(logging.WARNING)  # it would log every request
        self.place = url.rstrip("/")
        self._ids: dict[str, str] = {}
        # Chroma servers read the token from one of two headers.
        headers = {"Authorization": f"Bearer {token}", "X-Chroma-Token": token} if token else {}
        way_out = "check that it runs and accepts the token"
        with as_store_error(f"Chroma at {url}", "reach", way_out):
            self._http = httpx2.Client(
                base_url=f"{self.place}/api/v2",
                headers=headers,
                timeout=TIMEOUT,
                # No proxy leads to this machine.
                transport=httpx2.HTTPTransport() if is_loopback(host) else None,
            )
            try:
                self._request("GET", PATH)
            except BaseException:
                self.close()
                raise

    def find(self, name: str) -> tuple[str, Mapping[str, Any]] | None:
        try:
            found = self._request("GET", f"{PATH}/collections/{name}")
        except MissingCollectionError:
            self._ids.pop(name, None)
            return None
        self._ids[name] = found["id"]
        return found["id"], found["metadata"] or {}

    def create(self, name: str, metadata: dict[str, Any]) -> None:
        body = {"name": name, "metadata": metadata, "get_or_create": True}
        self._request("POST", f"{PATH}/collections", body)

    def delete(self, name: str) -> None:
        self._ids.pop(name, None)
        self._request("DELETE", f"{PATH}/collections/{name}")

    def call(self, collection: str, method: str, **arguments: Any) -> Any:
        if collection not in self._ids and self.find(collection) is None:
            raise MissingCollectionError
        verb, path = CALLS[method]
        if method == "modify":
            arguments = {f"new_{key}": value for key, value in arguments.items()}
        if "embeddings" in arguments:
            arguments["embeddings"] = arguments["embeddings"].tolist()
        body = arguments if verb != "GET" else None
        return self._request(verb, f"{PATH}/collections/{self._ids[collection]}{path}", body)

    def close(self) -> None:
        self._http.close()

    def is_unchanged(self, _state: str) -> bool:
        return False

    def read_state(self) -> str:
        return ""

    def _request(self, verb: str, path: str, body: object = None) -> Any:
        answer = self._http.request(verb, path, json=body)
        if answer.status_code == 404:  # noqa: PLR2004 - Not Found
            raise MissingCollectionError
        if answer.is_error:
            with suppress(ValueError, KeyError, TypeError):
                raise ConnectionError(str(answer.json()["message"]))
            raise ConnectionError(f"status {answer.status_code}")
        return answer.json()


def check_url(url: str) -> str:
    way_out = "expected a URL such as https://chroma.example.com:8000"
    if any(mark in url for mark in "@?#"):  # messages would show them
        raise StoreError(
            f"the Chroma URL has a user, password, query or fragment: {way_out}, with the token in"
            " LESSON_SEARCH_CHROMA_TOKEN"
        )
    with as_store_error(f"the Chroma URL {url!r}", "read", way_out):
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises ValueError if it is invalid
        if parts.scheme in {"http", "https"} and parts.hostname and not parts.path.strip("/"):
            return parts.hostname
    raise StoreError(f"{url!r} is not the URL of a Chroma server: {way_out}")


AnyChroma = Chroma | ChromaServer
