"""Build catalogues of lessons and skills, for the tests."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from lesson_search.calibration import SHIPPED
from lesson_search.catalogue import Catalogue
from lesson_search.embedders.wordllama import WordLlamaEmbedder
from lesson_search.fitting import find_calibration
from lesson_search.library import Library
from lesson_search.records import Lesson, Skill
from lesson_search.sessions import SessionMemory
from lesson_search.sorting import Sorting
from lesson_search.store import Store, close_client, open_client


@contextmanager
def open_test_catalogue(folder: Path, embedder: WordLlamaEmbedder) -> Iterator[Catalogue]:
    """Yield a catalogue that keeps its records in a folder."""
    shutil.copytree(prepare_store(embedder.name), folder)
    client = open_client(folder)
    calibration = find_calibration(embedder, SHIPPED)
    yield Catalogue(
        Library(Store(client, Lesson, embedder.name), embedder, calibration),
        Library(Store(client, Skill, embedder.name), embedder, calibration),
        Sorting(folder / "taxonomy.yml", lambda: embedder),
        SessionMemory(3600, 100),
    )
    close_client(client)  # which holds much memory


@cache
def prepare_store(embedder: str) -> Path:
    """Return an empty store, to be copied: to make one takes several times as long."""
    folder = Path(tempfile.mkdtemp())  # in the scratch folder of the tests
    client = open_client(folder)
    Store(client, Lesson, embedder)
    Store(client, Skill, embedder)
    close_client(client)
    return folder
