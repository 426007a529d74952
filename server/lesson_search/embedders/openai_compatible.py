"""Embed by OpenAI, or by one of the many services that speak its protocol.

https://platform.openai.com/docs/api-reference/embeddings
"""

import os
from collections.abc import Mapping, Sequence

import httpx

from hookwright_console.peers import is_loopback
from hookwright_console.text import show
from lesson_search.embedders import EmbedderError
from lesson_search.embedders.embedding_service import ServiceEmbedder
from lesson_search.embedders.prefixes import Prefixes

URL = "https://api.openai.com/v1"
MODEL = "text-embedding-3-small"


class OpenAIEmbedder(ServiceEmbedder):
    """A model of a service that speaks OpenAI's protocol."""

    hint = "start the service, or give the URL where it is"

    def __init__(
        self, model: str | None = None, url: str | None = None, prefixes: Prefixes | None = None
    ) -> None:
        """Say how to ask, without asking.

        Args:
            model: The service's name for it; None for text-embedding-3-small.
            url: The service's, up to /v1; None for OpenAI's own.
            prefixes: What stands before texts; None for what the model is known to want.

        Raises:
            EmbedderError: The URL is none, or the key in the environment.

        """
        base = read_url(URL if url is None else url)
        url_ = base.copy_with(path=base.path.rstrip("/") + "/embeddings")
        super().__init__("openai", model or MODEL, url_, read_key(base), prefixes)

    def _build_request(self, texts: Sequence[str]) -> Mapping[str, object]:
        return {"model": self.model, "input": texts, "encoding_format": "float"}

    def _extract_vectors(self, answer: object) -> object:
        rows = sorted(answer["data"], key=lambda row: row["index"])  # type: ignore[index]
        if [row["index"] for row in rows] != list(range(len(rows))):
            raise ValueError
        return [row["embedding"] for row in rows]


def read_url(url: str) -> httpx.URL:
    """Return a URL that somebody gave.

    Raises:
        EmbedderError: It is none of a service, or it holds a password, which messages would show.

    """
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        parsed = httpx.URL()
    if any(mark in url for mark in "@?#"):
        raise EmbedderError(
            "the URL of the embedder holds a user, a password, a query or a fragment:"
            " put the key into LESSON_SEARCH_EMBEDDER_KEY instead"
        )
    if parsed.scheme not in {"http", "https"} or not parsed.host:
        raise EmbedderError(f"'{show(url)}' is no URL of a service: write it like {URL}")
    return parsed


def read_key(url: httpx.URL) -> str:
    """Return the key for a service from the environment, or "".

    Raises:
        EmbedderError: It has characters that no key has.

    """
    name = "LESSON_SEARCH_EMBEDDER_KEY"
    # OpenAI's own key is not for everybody on the way to see.
    if name not in os.environ and (url.scheme == "https" or is_loopback(url.host)):
        name = "OPENAI_API_KEY"
    key = os.environ.get(name, "").strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise EmbedderError(f"{name} has characters that no key has: copy it anew")
    return key
