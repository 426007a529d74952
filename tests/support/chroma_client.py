"""Access an embedded Chroma as another program would."""

from pathlib import Path
from typing import Any

import chromadb
from chromadb.api import ClientAPI
from chromadb.config import Settings


def open_foreign(folder: Path, name: str = "lessons") -> Any:
    """Return a collection of the Chroma in a folder."""
    return connect(folder).get_collection(name, embedding_function=None)


def list_foreign(folder: Path) -> Any:
    """Return the collections of the Chroma in a folder."""
    return connect(folder).list_collections()


def connect(folder: Path) -> ClientAPI:
    settings = Settings(anonymized_telemetry=False)
    return chromadb.PersistentClient(folder, settings)
