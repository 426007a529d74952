"""The settings of a server, or of a command that runs without one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

RecordChoice = Literal["lessons", "prompts"]


@dataclass(frozen=True)
class Settings:
    """The store and the embedder.

    Args:
        data: The data folder.
        embedder: wordllama, onnx, ollama or openai.
        model: The model of the embedder; None for its default.
        embedder_url: The URL of the embedder; None for its default.
        chroma_url: The Chroma server for the records; None for files in the data folder.
        chroma_token: The token of the Chroma server, or None.
        min_score: The lowest score of a record that matters, from 0 to 1; None for the embedder's.
        record: Whether to record the lessons that agents are given, or the prompts too.

    """

    data: Path
    embedder: str = "wordllama"
    model: str | None = None
    embedder_url: str | None = None
    chroma_url: str | None = None
    chroma_token: str | None = None
    min_score: float | None = None
    record: RecordChoice | None = None

    @property
    def taxonomy(self) -> Path:
        """The file for the user's own taxonomy, which may be missing."""
        return self.data / "taxonomy.yml"

    @property
    def given(self) -> Path:
        """The record of what agents are given, which may be missing."""
        return self.data / "given.jsonl"
