"""The settings of a server, or of a command that runs without one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

RecordChoice = Literal["lessons", "prompts"]


@dataclass(frozen=True)
class Settings:
    """The store and the embedder."""

    data: Path  # the data folder
    embedder: str = "wordllama"  # wordllama, onnx, ollama or openai
    model: str | None = None  # the embedder's model; None for the default
    embedder_url: str | None = None  # the embedder's URL; None for the default
    # the Chroma server that stores the records; None for files in the data folder
    chroma_url: str | None = None
    chroma_token: str | None = None  # the Chroma server's token, or None
    # minimum score of a relevant record, from 0 to 1; None for the embedder's default
    min_score: float | None = None
    # whether to log the lessons given to agents, and optionally the prompts
    record: RecordChoice | None = None

    @property
    def taxonomy(self) -> Path:
        return self.data / "taxonomy.yml"

    @property
    def given(self) -> Path:
        return self.data / "given.jsonl"
