"""Build the lesson service from settings."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

from hookwright_retrieval.embedders import Embedder
from hookwright_retrieval.embedders.registry import open_embedder
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.prompts.given_record import GivenRecord, SessionMemory
from lesson_search.records import COLLECTIONS, Lesson, Record, Skill
from lesson_search.retrieval.calibration import Calibration
from lesson_search.retrieval.calibrator import find_calibration
from lesson_search.retrieval.collection import Collection
from lesson_search.service.lesson_service import LessonService
from lesson_search.service.settings import Settings
from lesson_search.storage.chroma import AnyChroma, Chroma, ChromaServer
from lesson_search.storage.data_folder import lock_folder
from lesson_search.storage.store import DeletedRecords, Store
from lesson_search.taxonomy.categories import CurrentClassifier

WINDOW = 3600.0  # seconds in which a session does not get the same lesson again
MAX_SESSIONS = 1_000


@contextmanager
def open_service(settings: Settings) -> Iterator[LessonService]:
    """Yield the lesson service, and write the index caches on exit; raises ReportedError."""
    with open_chroma(settings) as chroma:
        embedder = open_embedder(settings.embedder, settings.model, settings.embedder_url)
        calibration = find_calibration(embedder, settings.data)
        if settings.min_score is not None:
            calibration = replace(calibration, threshold=settings.min_score)
        lessons = load_collection(chroma, Lesson, embedder, calibration, settings.data)
        skills = load_collection(chroma, Skill, embedder, calibration, settings.data)
        given = GivenRecord(settings.given, prompts=settings.record == "prompts")
        try:
            yield LessonService(
                lessons,
                skills,
                DeletedRecords(chroma),
                CurrentClassifier(settings.taxonomy, WordLlamaEmbedder),
                SessionMemory(WINDOW, MAX_SESSIONS),
                given=given if settings.record else None,
                folder=settings.data,
            )
        finally:
            lessons.save_cache()
            skills.save_cache()


def load_collection(
    chroma: AnyChroma,
    kind: type[Record],
    embedder: Embedder,
    calibration: Calibration,
    folder: Path,
) -> Collection[Record]:
    store: Store[Record] = Store(chroma, kind, embedder.name)
    return Collection(store, embedder, calibration, folder / f"{COLLECTIONS[kind]}.npz")


@contextmanager
def open_chroma(settings: Settings) -> Iterator[AnyChroma]:
    """Yield the Chroma with the data folder locked; raises ReportedError."""
    with ExitStack() as stack:
        stack.callback(lock_folder(settings.data).release)
        url, token = settings.chroma_url, settings.chroma_token or ""
        chroma = ChromaServer(url, token) if url else Chroma(settings.data / "db")
        yield stack.enter_context(closing(chroma))
