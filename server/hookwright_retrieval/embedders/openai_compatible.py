"""Embed texts with OpenAI or another service that provides the same API.

The API is documented at https://platform.openai.com/docs/api-reference/embeddings.
"""

import os
from collections.abc import Mapping, Sequence

import httpx2

from hookwright_console.network.peers import is_loopback
from hookwright_console.text import shorten
from hookwright_retrieval.embedders import EmbedderError
from hookwright_retrieval.embedders.embedding_service import ServiceEmbedder

URL = "https://api.openai.com/v1"
MODEL = "text-embedding-3-small"


class OpenAIEmbedder(ServiceEmbedder):
    """A model of a service that provides OpenAI's API."""

    hint = "start the service, or set --embedder-url to its URL"

    def __init__(self, model: str | None = None, url: str | None = None) -> None:
        """Prepare the embedder without connecting to the service.

        The URL ends with /v1; None stands for OpenAI and for text-embedding-3-small. Raises
        EmbedderError if the URL or the API key in the environment is invalid.
        """
        base = read_url(URL if url is None else url)
        url_ = base.copy_with(path=base.path.rstrip("/") + "/embeddings")
        super().__init__("openai", model or MODEL, url_, read_key(base))

    def _build_request(self, texts: Sequence[str]) -> Mapping[str, object]:
        return {"model": self.model, "input": texts, "encoding_format": "float"}

    def _extract_vectors(self, answer: object) -> object:
        rows = sorted(answer["data"], key=lambda row: row["index"])  # type: ignore[index]
        if [row["index"] for row in rows] != list(range(len(rows))):
            raise ValueError
        return [row["embedding"] for row in rows]


def read_url(url: str) -> httpx2.URL:
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        parsed = httpx2.URL()
    if any(mark in url for mark in "@?#"):
        raise EmbedderError(
            "the URL of the embedder has a user, password, query or fragment:"
            " set LESSON_SEARCH_EMBEDDER_KEY to the key instead"
        )
    if parsed.scheme not in {"http", "https"} or not parsed.host:
        raise EmbedderError(f"expected the URL of a service such as {URL}, got '{shorten(url)}'")
    return parsed


def read_key(url: httpx2.URL) -> str:
    name = "LESSON_SEARCH_EMBEDDER_KEY"
    # OpenAI's key is never sent unencrypted to another machine.
    if name not in os.environ and (url.scheme == "https" or is_loopback(url.host)):
        name = "OPENAI_API_KEY"
    key = os.environ.get(name, "").strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise EmbedderError(f"{name} contains characters that are invalid in a key: copy it again")
    return key
