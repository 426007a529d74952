"""Embedders, which turn texts into vectors that are similar if the texts have similar meanings."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hookwright_console.errors import ReportedError

Vectors = npt.NDArray[np.float32]


class EmbedderError(ReportedError):
    """A text could not be embedded."""


class Embedder(Protocol):
    """Embeds texts; any number of threads may share it."""

    name: str  # identifies the vectors, which cannot be compared to those of another name
    model: str  # display name

    @property
    def dimensions(self) -> int:
        """Return the length of a vector, or 0 until the service has responded.

        Containers determine the length from the vectors instead.
        """

    @property
    def is_up(self) -> bool:
        """Return whether the embedder worked when last used; no request is sent."""

    def check(self) -> bool:
        """Check the service, if there is one, and return whether it works.

        Loads the model if necessary. A service that was down is used again once this check
        succeeds.
        """

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per document, of shape (texts, dimensions).

        Raises EmbedderError if the service refused the texts, or if it is down and check() has not
        succeeded since.
        """

    def embed_query(self, text: str) -> Vectors:
        """Return a unit vector for a query, of shape (dimensions,); raises EmbedderError."""


def make_plain(text: str) -> str:
    """Return a text with lone surrogates, which UTF-8 cannot encode, replaced by "?"."""
    return text.encode("utf-8", "replace").decode()


def scale(vectors: Vectors) -> Vectors:
    """Scale vectors to length 1 along the last axis; zero vectors are unchanged."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return scaled
