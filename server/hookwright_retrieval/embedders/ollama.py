"""Embed texts with Ollama.

The API is documented at https://github.com/ollama/ollama/blob/main/docs/api.md; addresses are
interpreted like in Ollama's own client.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress

import httpx2

from hookwright_console.text import shorten
from hookwright_retrieval.embedders import EmbedderError
from hookwright_retrieval.embedders.embedding_service import ServiceEmbedder

MODEL = "nomic-embed-text:v1.5"
PORT = 11434  # of an address without a scheme


class OllamaEmbedder(ServiceEmbedder):
    """An Ollama model that is kept loaded."""

    hint = "start it with `ollama serve`, or set OLLAMA_HOST to its address"

    def __init__(self, model: str | None = None, address: str | None = None) -> None:
        """Prepare a model listed by `ollama list`, without connecting.

        If the URL is None, OLLAMA_HOST or this machine is used; raises EmbedderError for an invalid
        address.
        """
        model = MODEL if model is None else model
        if ":" not in model.rpartition("/")[2]:
            model += ":latest"  # as Ollama does, so that each model has only one name
        url = read_address(os.environ.get("OLLAMA_HOST", "") if address is None else address)
        url = url.copy_with(path=url.path.rstrip("/") + "/api/embed")
        super().__init__("ollama", model, url, "")

    def _build_request(self, texts: Sequence[str]) -> Mapping[str, object]:
        # -1 keeps the model loaded as long as Ollama is running.
        return {"model": self.model, "input": texts, "truncate": True, "keep_alive": -1}

    def _extract_vectors(self, answer: object) -> object:
        return answer["embeddings"]  # type: ignore[index]

    def _explain_missing(self, detail: str) -> str:
        if "model" in detail:
            return f"Ollama has no model {self.model}: run `ollama pull {self.model}`"
        return f"{self._url} is not Ollama: set OLLAMA_HOST to its address"


def read_address(address: str) -> httpx2.URL:
    """Return the URL for an address such as 10.0.0.7, gpu:11434 or https://gpu.example.com."""
    if any(mark in address for mark in "@?#"):  # error messages would reveal passwords
        raise EmbedderError(
            "the address of Ollama has a user, password, query or fragment:"
            " expected an address such as http://127.0.0.1:11434"
        )
    bare = address.strip().strip("\"'").strip()
    if bare.count(":") > 1 and not {"[", "/"} & set(bare):
        bare = f"[{bare}]"  # an IPv6 address
    with suppress(httpx2.InvalidURL):
        url = httpx2.URL(bare if "://" in bare else f"http://{bare}")
        if url.scheme in {"http", "https"} and " " not in bare:
            port = url.port if "://" in bare or url.port else PORT
            # Servers listen on an unspecified address, but clients cannot connect to it.
            host = "127.0.0.1" if url.host in {"", "0.0.0.0", "::"} else url.host  # noqa: S104
            return url.copy_with(host=host, port=port)
    raise EmbedderError(
        f"expected an address of Ollama such as http://127.0.0.1:11434, got '{shorten(address)}'"
    )
