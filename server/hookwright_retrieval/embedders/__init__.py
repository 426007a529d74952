"""Embedders turn texts into vectors that are similar for similar meanings."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hookwright_console.errors import ReportedError

Vectors = npt.NDArray[np.float32]


class EmbedderError(ReportedError):
    """Texts cannot be embedded."""


class Embedder(Protocol):
    """Embeds texts, for any number of threads.

    Args:
        name: Identifies the vectors, which are not comparable to those of another name.
        model: The model's display name.

    """

    name: str
    model: str

    @property
    def dimensions(self) -> int:
        """Return the length of a vector, or 0 until a service has answered.

        Containers determine the length from the vectors instead.
        """
        ...

    @property
    def is_up(self) -> bool:
        """Return whether the embedder worked when last used, without querying a service."""
        ...

    def check(self) -> bool:
        """Check the service, if any, and return whether it works.

        Loads the model if necessary. A service that was down is used again once it works.
        """
        ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per document, of shape (texts, dimensions).

        Raises:
            EmbedderError: The service refused the texts, or is down until check() succeeds.

        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """Return a vector of length 1 for a query, of shape (dimensions,); raises EmbedderError."""
        ...


def make_plain(text: str) -> str:
    """Return a text with lone surrogates, which JSON allows and UTF-8 does not, as "?"."""
    return text.encode("utf-8", "replace").decode()


def scale(vectors: Vectors) -> Vectors:
    """Return vectors scaled to length 1 along the last axis; zero vectors are unchanged."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return scaled
