"""Embed by Ollama.

The protocol is the one of https://github.com/ollama/ollama/blob/main/docs/api.md, and an address
means what it means to Ollama's own client.
"""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address

import httpx

from hookwright_console.text import show
from lesson_search.embedders import EmbedderError
from lesson_search.embedders.embedding_service import ServiceEmbedder
from lesson_search.embedders.prefixes import Prefixes

MODEL = "nomic-embed-text:v1.5"
PORTS = {None: 11434, "http": 80, "https": 443}  # by the scheme of an address without a port
ADDRESS = re.compile(
    r"(?:(?P<scheme>https?)://)?(?P<host>\[[^\]/@]*\]|[^:/@\s]*)"
    r"(?::(?P<port>[0-9]{,5}))?(?P<path>/(?!/).*)?"
)


class OllamaEmbedder(ServiceEmbedder):
    """A model of Ollama, which keeps it loaded."""

    hint = "start it with `ollama serve`, or set OLLAMA_HOST to where it is"

    def __init__(
        self, model: str | None = None, address: str | None = None, prefixes: Prefixes | None = None
    ) -> None:
        """Say how to ask, without asking.

        Args:
            model: Of those that `ollama list` shows; None for nomic-embed-text.
            address: Where Ollama is; None for OLLAMA_HOST, or this machine.
            prefixes: What stands before texts; None for what the model is known to want.

        Raises:
            EmbedderError: The address is none.

        """
        model = MODEL if model is None else model
        if ":" not in model.rpartition("/")[2]:
            model += ":latest"  # which Ollama means, too: a model has one name here
        url = read_address(os.environ.get("OLLAMA_HOST", "") if address is None else address)
        url = url.copy_with(path=url.path.rstrip("/") + "/api/embed")
        super().__init__("ollama", model, url, "", prefixes)

    def _build_request(self, texts: Sequence[str]) -> Mapping[str, object]:
        # -1 keeps the model loaded for as long as Ollama runs.
        return {"model": self.model, "input": texts, "truncate": True, "keep_alive": -1}

    def _extract_vectors(self, answer: object) -> object:
        return answer["embeddings"]  # type: ignore[index]

    def _explain_missing(self, detail: str) -> str:
        if "model" in detail:
            return f"Ollama has no model {self.model}: run `ollama pull {self.model}`"
        return f"{self._url} is not Ollama's: set OLLAMA_HOST to where it is"


def read_address(address: str) -> httpx.URL:
    """Return the URL of an address such as 10.0.0.7, gpu:11434 or https://gpu.example.com.

    Raises:
        EmbedderError: The address is none.

    """
    if any(mark in address for mark in "@?#"):  # messages would show what stands there
        raise EmbedderError(
            "the address of Ollama holds a user, a password, a query or a fragment:"
            " write it like http://127.0.0.1:11434"
        )
    bare = address.strip().strip("\"'").strip()
    if found := ADDRESS.fullmatch(f"[{bare}]" if ":" in bare and is_number(bare) else bare):
        host = found["host"].strip("[]")
        if not host or (is_number(host) and ip_address(host).is_unspecified):
            host = "127.0.0.1"  # a server listens at such an address; nobody is there
        scheme, path = found["scheme"] or "http", found["path"] or ""
        port = int(found["port"] or PORTS[found["scheme"]])
        with suppress(httpx.InvalidURL):
            return httpx.URL(scheme=scheme, host=host, port=port, path=path)
    raise EmbedderError(
        f"'{show(address)}' is no address of Ollama: write it like http://127.0.0.1:11434"
    )


def is_number(host: str) -> bool:
    """Tell whether a host is the number of one, not its name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
