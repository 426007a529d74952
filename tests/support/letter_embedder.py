"""A fake embedder that is fast, needs no weights, and can be set to fail."""

from collections.abc import Sequence

import numpy as np

from hookwright_retrieval.embedders import EmbedderError, Vectors, scale
from lesson_search.retrieval.calibration import Calibration, Weights


class LetterEmbedder:
    """Embeds a text as the number of times that each of eight characters occurs in it."""

    dimensions = 8

    def __init__(self, name: str = "letters") -> None:
        """Start in the working state.

        Args:
            name: The name to report.

        """
        self.name = self.model = name
        self.is_up = True

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if not self.is_up:
            raise EmbedderError("letters are down: wait")
        lower = [text.casefold() for text in texts]
        return scale(np.array([[text.count(c) + 0.1 for c in "leson123"] for text in lower]))

    def embed_query(self, text: str) -> Vectors:
        vector: Vectors = self.embed_documents([text])[0]
        return vector

    def check(self) -> bool:
        return self.is_up


CALIBRATION = Calibration(Weights(8.0, 1.0, 0.0, -9.0), 0.4, (0.0,) * LetterEmbedder.dimensions)
