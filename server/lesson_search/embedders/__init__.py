"""Embedders, which turn texts into vectors that are near each other where the meanings are."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hookwright_console.errors import ReportedError

Vectors = npt.NDArray[np.float32]


class EmbedderError(ReportedError):
    """What keeps texts from being embedded, in one line with the way out."""


class Embedder(Protocol):
    """What embeds texts. Threads may use it at the same time.

    Args:
        name: What its vectors are known by: those of another name cannot be compared with them.
        model: What users are shown.

    """

    name: str
    model: str

    @property
    def dimensions(self) -> int:
        """Return how long a vector is; 0 until a service has told, by its first answer.

        What holds vectors takes their length from them, so that it does not depend on a service.
        """
        ...

    @property
    def is_up(self) -> bool:
        """Tell whether it could embed when that was last known, without asking anybody."""
        ...

    def check(self) -> bool:
        """Ask the service behind it, if there is one, to embed; tell whether it did.

        A service that has to load its model does that now; one that was down is used again.
        """
        ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a vector of length 1 for each text to be found, of shape (texts, dimensions).

        Raises:
            EmbedderError: The service is down, which was either known or is from now on, until
                check() finds that it is up; or it refused these texts.

        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """Return a vector of length 1 for a text to find others by, of shape (dimensions,).

        Raises:
            EmbedderError: As for documents.

        """
        ...


def make_plain(text: str) -> str:
    """Return the text with ? for halves of surrogate pairs, which JSON may hold but no text."""
    return text.encode("utf-8", "replace").decode()


def scale(vectors: Vectors) -> Vectors:
    """Return the vectors, along the last axis, at length 1; zero stays zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return scaled
