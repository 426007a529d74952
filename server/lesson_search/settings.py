"""What a server, or a command that does without one, is to work with."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """Where records are kept, and what embeds them.

    Args:
        data: The data folder.
        embedder: What embeds: wordllama, ollama or openai.
        model: Its model, or None for its default.
        embedder_url: Where it is asked, or None for its default.
        chroma_url: The Chroma server that keeps the records, or None for files in the data folder.
        chroma_token: What that server asks for, or None.

    """

    data: Path
    embedder: str = "wordllama"
    model: str | None = None
    embedder_url: str | None = None
    chroma_url: str | None = None
    chroma_token: str | None = None

    @property
    def taxonomy(self) -> Path:
        """Where the user's own taxonomy is, if there is one."""
        return self.data / "taxonomy.yml"
