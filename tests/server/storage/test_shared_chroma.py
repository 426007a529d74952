"""Servers that share a Chroma see each other's writes, with a real Chroma server."""

import random
import shutil
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.records import Lesson
from lesson_search.retrieval import collection as collection_module
from lesson_search.retrieval.calibration import Calibration
from lesson_search.retrieval.collection import Collection
from lesson_search.storage.chroma import ChromaServer, StoreError
from lesson_search.storage.store import DeletedRecords, Store

from ...support.chroma_proxy import make_certificate, open_proxy
from ...support.chroma_server import ChromaProcess

DOCKER = Lesson("docker", "The Docker build cache is lost by COPY . before npm ci.", ("devops",))
REDIS = Lesson("redis", "Redis evicts keys once its memory is full.", classified=True)
CACHE = "why is the docker build cache lost"

Connect = Callable[[], ChromaServer]
Open = Callable[[], "Collection[Lesson]"]


@pytest.fixture
def connect(empty_chroma: ChromaProcess) -> Iterator[Connect]:
    with closing_clients(empty_chroma) as connect:
        yield connect


@pytest.fixture
def open_collection(
    connect: Connect, embedder: WordLlamaEmbedder, calibration: Calibration
) -> Open:
    return lambda: Collection(Store(connect(), Lesson, "wordllama"), embedder, calibration)


@contextmanager
def closing_clients(chroma: ChromaProcess) -> Iterator[Connect]:
    clients = []

    def connect() -> ChromaServer:
        clients.append(ChromaServer(chroma.url))
        return clients[-1]

    yield connect
    for client in clients:
        client.close()


def test_writes_are_visible_to_other_servers(open_collection: Open) -> None:
    one, two = open_collection(), open_collection()
    one.ingest([DOCKER, REDIS])
    assert two.catch_up()
    assert two.list_records() == [DOCKER, REDIS]
    assert two.search(CACHE, 1, 0.0)[0].record == DOCKER
    two.ingest([replace(DOCKER, text="Docker: pin the base image.")])
    two.remove(["redis"])
    assert one.catch_up()
    assert one.list_records() == two.list_records()
    assert len(one) == 1


def test_local_chroma_bypasses_the_proxy(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")  # no server listens on this port
    assert connect().find("lessons") is None


def test_unchanged_store_costs_one_request(
    open_collection: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = open_collection()
    collection.ingest([DOCKER])
    collection.catch_up()
    with monkeypatch.context() as patch:
        patch.setattr(Store, "list_versions", None)
        assert not collection.catch_up()


def test_deletions_are_shared(connect: Connect) -> None:
    one, other = DeletedRecords(connect()), DeletedRecords(connect())
    one.add([("lessons", "docker"), ("skills", "review")])
    assert other.find([("lessons", "docker"), ("lessons", "review")]) == {("lessons", "docker")}
    other.forget([("lessons", "docker")])
    assert one.list_all() == [("skills", "review")]


def test_concurrent_writers_converge(open_collection: Open) -> None:
    opened = [open_collection() for _ in range(3)]

    def write(collection: "Collection[Lesson]", seed: int) -> None:
        chance = random.Random(seed)  # noqa: S311 - a test that can be repeated
        for _ in range(7):
            ids = [str(chance.randrange(20)) for _ in range(3)]
            if chance.random() < 0.3:
                collection.remove(ids)
            else:
                collection.ingest(
                    [Lesson(identity, f"Lesson {uuid.uuid4()} of Docker.") for identity in ids]
                )
            if chance.random() < 0.5:
                collection.catch_up()

    with ThreadPoolExecutor(4) as pool:
        jobs = [
            pool.submit(write, collection, n) for n, collection in enumerate([*opened, opened[0]])
        ]
        for job in jobs:
            job.result()
    for each in opened:
        each.catch_up()
    fresh = open_collection()
    assert all(each.list_records() == fresh.list_records() for each in opened)
    listings = [
        [match.record.id for match in each.search("lesson of docker", 30, 0.0)] for each in opened
    ]
    assert all(
        sorted(ids) == sorted(record.id for record in fresh.list_records()) for ids in listings
    )


def test_removal_during_a_read_is_handled(
    open_collection: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = open_collection(), open_collection()
    two.ingest([DOCKER])
    call = ChromaServer.call
    failed: list[bool] = []

    def stumble(server: ChromaServer, name: str, method: str, **arguments: Any) -> object:
        if "embeddings" in arguments.get("include", ()) and not failed:
            failed.append(True)
            raise ConnectionError("500 Error executing plan: Internal error: Error finding id")
        return call(server, name, method, **arguments)

    monkeypatch.setattr(ChromaServer, "call", stumble)
    assert one.catch_up()
    assert failed
    assert one.list_records() == [DOCKER]


def test_unannounced_write_is_noticed(
    open_collection: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = open_collection(), open_collection()
    with monkeypatch.context() as patch:
        patch.setattr(Store, "_announce", lambda _self: None)
        two.ingest([DOCKER])
    assert not one.catch_up()
    monkeypatch.setattr(collection_module, "COMPARE_SECONDS", 0)
    assert one.catch_up()
    assert one.list_records() == [DOCKER]


def test_invalid_records_are_read_once(
    open_collection: Open, empty_chroma: ChromaProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = open_collection()
    foreign = empty_chroma.connect().get_collection("lessons", embedding_function=None)
    collection.ingest([DOCKER])
    foreign.add(ids=["alien"], embeddings=np.ones((1, 256), np.float32))
    monkeypatch.setattr(collection_module, "COMPARE_SECONDS", 0)
    collection.catch_up()
    assert collection.list_records() == [DOCKER]
    with monkeypatch.context() as patch:
        patch.setattr(Store, "_read", None)
        assert not collection.catch_up()
    assert foreign.get(["alien"])["ids"] == ["alien"]
    mended = {"written": "anew", "categories": "devops"}
    foreign.update(["alien"], np.ones((1, 256), np.float32), [mended], ["A lesson now."])
    assert collection.catch_up()
    assert collection.get("alien") == Lesson("alien", "A lesson now.", ("devops",))


def test_incomplete_page_does_not_remove_records(
    open_collection: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = open_collection()
    collection.ingest([DOCKER, REDIS])
    monkeypatch.setattr(Store, "list_versions", lambda _self: {})
    collection.catch_up()
    assert collection.list_records() == [DOCKER, REDIS]


def test_several_pages_are_read(open_collection: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    collection = open_collection()
    monkeypatch.setattr(ChromaServer, "page", 7)
    two = open_collection()
    collection.ingest([Lesson(f"{number:03}", f"Lesson {number}") for number in range(50)])
    two.catch_up()
    assert two.list_records() == collection.list_records() == open_collection().list_records()


def test_chroma_outage_is_survived(empty_chroma: ChromaProcess, open_collection: Open) -> None:
    lessons = open_collection()
    lessons.ingest([DOCKER])
    empty_chroma.stop()
    try:
        check_failing(lessons.catch_up)
        check_failing(lambda: lessons.ingest([REDIS]))
        check_failing(lambda: lessons.remove(["docker"]))
        assert lessons.search(CACHE, 1, 0.0)[0].record == DOCKER
        assert lessons.list_records() == [DOCKER]
    finally:
        empty_chroma.start()
    lessons.catch_up()
    lessons.ingest([REDIS])
    assert lessons.list_records() == open_collection().list_records() == [DOCKER, REDIS]


def check_failing(attempt: Callable[[], object]) -> None:
    with pytest.raises(
        StoreError, match=r"^cannot .+ lessons in http://.+ \(check that Chroma runs\)$"
    ):
        attempt()


def test_hanging_chroma_does_not_block(
    empty_chroma: ChromaProcess, open_collection: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lesson_search.storage.chroma.TIMEOUT", 0.5)
    lessons = open_collection()
    empty_chroma.pause()
    try:
        check_failing(lessons.catch_up)
    finally:
        empty_chroma.resume()


def test_collection_replaced_by_another_embedder_is_reported(
    open_collection: Open, connect: Connect
) -> None:
    lessons, client = open_collection(), connect()
    lessons.ingest([DOCKER])
    client.delete("lessons")
    Store(client, Lesson, "ollama")
    for attempt in (lessons.catch_up, lambda: lessons.ingest([REDIS])):
        with pytest.raises(StoreError, match="embedded with ollama, not wordllama"):
            attempt()
    assert lessons.list_records() == [DOCKER]


def test_vectors_survive_a_round_trip(connect: Connect) -> None:
    lessons = Store(connect(), Lesson, "wordllama")
    vectors = np.eye(2, 8, dtype=np.float32)
    written = lessons.save([DOCKER, REDIS], vectors)
    stored, fetched = lessons.fetch(["redis"])
    assert [(entry.record, entry.version) for entry in stored] == [(REDIS, written)]
    assert fetched == pytest.approx(vectors[1:])
    lessons.remove(["redis", "nobody"])
    assert len(lessons.load()) == 1


@pytest.mark.skipif(not shutil.which("openssl"), reason="needs openssl to make a certificate")
def test_token_is_sent_over_tls(
    empty_chroma: ChromaProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path)
    with open_proxy(empty_chroma.url, certificate, "secret") as url:
        with pytest.raises(StoreError, match=r"cannot reach .*certificate verify failed"):
            ChromaServer(url, "secret")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with pytest.raises(StoreError, match=r"cannot reach .*401.* accepts the token\)$"):
            ChromaServer(url, "wrong")
        client = ChromaServer(url, "secret")
        lessons = Store(client, Lesson, "wordllama")
        lessons.save([DOCKER], np.ones((1, 8), np.float32))
        assert [entry.record for entry in lessons.load()] == [DOCKER]
        client.close()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://127.0.0.1", "is not the URL of a Chroma server: expected a URL such as https://"),
        ("127.0.0.1:8000", "is not the URL of a Chroma server: expected a URL such as https://"),
        (
            "http://127.0.0.1:8000/api",
            "is not the URL of a Chroma server: expected a URL such as https://",
        ),
        ("http://127.0.0.1:99999", "expected a URL such as https://"),
        ("http://[", "expected a URL such as https://"),
        ("http://127.0.0.1:1", r": Connection refused \(check that it runs"),
    ],
)
def test_missing_chroma_is_reported(url: str, message: str) -> None:
    with pytest.raises(StoreError, match=message) as failed:
        ChromaServer(url, "token")
    assert "\n" not in str(failed.value)


@pytest.mark.parametrize("form", ["user:{}@h", "{}@h", "h?key={}", "h/#{}", "user:{}@[", "h\n?{}"])
def test_url_with_a_secret_is_rejected_without_showing_it(form: str) -> None:
    with pytest.raises(StoreError, match=r"LESSON_SEARCH_CHROMA_TOKEN$") as failed:
        ChromaServer("http://" + form.format("s3cret"))
    assert "s3cret" not in str(failed.value)
    assert "\n" not in str(failed.value)
