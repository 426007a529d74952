"""Open services of lessons and skills."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.prompts.given_record import SessionMemory
from lesson_search.records import Lesson, Skill
from lesson_search.retrieval.calibration import SHIPPED
from lesson_search.retrieval.calibrator import find_calibration
from lesson_search.retrieval.collection import Collection
from lesson_search.service.lesson_service import LessonService
from lesson_search.storage.chroma import Chroma
from lesson_search.storage.store import DeletedRecords, Store
from lesson_search.taxonomy.categories import CurrentClassifier


@contextmanager
def open_service(folder: Path, embedder: WordLlamaEmbedder) -> Iterator[LessonService]:
    shutil.copytree(prepare_store(embedder.name), folder)
    client = Chroma(folder)
    calibration = find_calibration(embedder, SHIPPED)
    yield LessonService(
        Collection(Store(client, Lesson, embedder.name), embedder, calibration),
        Collection(Store(client, Skill, embedder.name), embedder, calibration),
        DeletedRecords(client),
        CurrentClassifier(folder / "taxonomy.yml", lambda: embedder),
        SessionMemory(3600, 100),
        folder=folder,
    )
    client.close()  # frees much memory


@cache
def prepare_store(embedder: str) -> Path:
    folder = Path(tempfile.mkdtemp())  # in the tests' scratch folder
    client = Chroma(folder)
    Store(client, Lesson, embedder)
    Store(client, Skill, embedder)
    DeletedRecords(client)
    client.close()
    return folder
