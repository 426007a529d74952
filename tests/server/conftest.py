"""Fixtures of the server's tests; slow resources are started once and shared."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.cli.client import open_server
from lesson_search.records import COLLECTIONS, UNKNOWN, Lesson, Skill, find_key

from ..support.chroma_server import ChromaProcess
from ..support.lesson_server_process import LessonServer, run_lesson_server

load = WordLlamaEmbedder.__init__


def copy_loaded(embedder: WordLlamaEmbedder) -> None:
    embedder.__dict__.update(load_once())


@cache
def load_once() -> dict[str, Any]:
    embedder = WordLlamaEmbedder.__new__(WordLlamaEmbedder)
    load(embedder)
    return embedder.__dict__


@pytest.fixture(autouse=True, scope="session")
def _weights_loaded_once() -> Iterator[None]:
    # Loading the weights takes most of the run time of an in-process command.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WordLlamaEmbedder, "__init__", copy_loaded)
        yield


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LessonServer]:
    folder = tmp_path_factory.mktemp("running")
    with run_lesson_server(folder / "data", HOME=str(folder)) as server:
        yield server


@pytest.fixture
def served(running: LessonServer) -> LessonServer:
    with open_server(running.url, None) as client:
        stored = [
            find_key(record)
            for collection in COLLECTIONS.values()
            for record in client.list_records(collection)
        ]
        # As if written manually, because the server records the deletion of ingested lessons only.
        gone = [*stored, *client.list_deleted()]
        written = [
            Lesson(identity, "a", classified=True, ingested=UNKNOWN)
            if collection == "lessons"
            else Skill(identity, "a", (), "/a", classified=True, ingested=UNKNOWN)
            for collection, identity in gone
        ]
        client.ingest(written, restored=range(len(written)))
        for key in gone:
            client.remove(*key)
        if gone:
            client.recategorize(by_hand=True, preview=False)  # this retrains the classifier
    return running


@pytest.fixture
def empty_chroma(chroma: ChromaProcess) -> ChromaProcess:
    client = chroma.connect()
    for collection in client.list_collections():
        client.delete_collection(collection.name)
    return chroma
