"""A snapshot speeds up the start without any other effect, whatever its file contains."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.records import Lesson
from lesson_search.retrieval import collection
from lesson_search.retrieval.calibration import Calibration
from lesson_search.retrieval.collection import Collection
from lesson_search.retrieval.ranking import (
    IndexData,
    build_index_data,
    hash_stored,
    read_index_cache,
    write_index_cache,
)
from lesson_search.storage.chroma import Chroma
from lesson_search.storage.rows import StoredRecord
from lesson_search.storage.store import Store

from ...support.hypothesis_profiles import examples

LONG = "\n\n".join(
    [
        "Onboarding starts with a laptop, a badge and a tour of the office, " * 4,
        "Postgres autovacuum freezes tables before the transaction ids wrap around.",
        "Lunch is at noon, and the bicycles are in the cellar behind the kitchen. " * 4,
    ]
)
TEXTS = [
    "The Docker build cache is lost by COPY . before npm ci.",
    "Redis evicts keys once its memory is full.",
    "A pytest fixture of session scope outlives the test.",
    LONG,
    LONG.replace("Postgres", "MySQL").replace("noon", "one"),
]
PROMPTS = ["docker cache lost", "vacuum for wraparound of txids", "redis memory", "lunch at noon"]
LESSONS = [Lesson(str(number), text) for number, text in enumerate(TEXTS)]
Array = npt.NDArray[Any]
Changes = list[tuple[int, int | None]]
CHANGES = st.lists(st.tuples(st.integers(0, 9), st.none() | st.integers(0, 4)), max_size=12)


@settings(max_examples=examples(25))
@given(before=CHANGES, after=CHANGES)
def test_snapshot_with_changes_ranks_like_a_new_index(
    tmp_path: Path,
    embedder: WordLlamaEmbedder,
    calibration: Calibration,
    before: Changes,
    after: Changes,
) -> None:
    client, path = Chroma(tmp_path / "db"), tmp_path / "lessons.npz"
    path.unlink(missing_ok=True)
    store = Store(client, Lesson, "wordllama")
    first = Collection(store, embedder, calibration, cache=path)
    change(first, before)
    first.save_cache()
    change(Collection(store, embedder, calibration), after)
    started, fresh = (
        Collection(store, embedder, calibration, cache=path),
        Collection(store, embedder, calibration),
    )
    assert started.list_records() == fresh.list_records()
    for prompt in PROMPTS:
        assert search(started, prompt) == pytest.approx(search(fresh, prompt), abs=1e-4)
    client.delete("lessons")


def change(lessons: "Collection[Lesson]", changes: Changes) -> None:
    for number, text in changes:
        if text is None:
            lessons.remove([str(number)])
        else:
            lessons.ingest([Lesson(str(number), TEXTS[text])])


def search(lessons: "Collection[Lesson]", prompt: str) -> dict[str, float]:
    return {hit.record.id: hit.score for hit in lessons.search(prompt, 99, 0.0)}


def test_only_changed_records_are_reindexed(
    store: Store[Lesson],
    embedder: WordLlamaEmbedder,
    calibration: Calibration,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "lessons.npz"
    first = Collection(store, embedder, calibration, cache=path)
    first.ingest(LESSONS)
    first.save_cache()
    store.save(LESSONS[1:2], embedder.embed_documents([TEXTS[1]]))
    seen: list[str] = []

    def note(texts: list[str], *rest: object) -> IndexData:
        seen.extend(texts)
        return build_index_data(texts, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(collection, "build_index_data", note)
    Collection(store, embedder, calibration, cache=path)
    assert seen == [TEXTS[1]]


def test_unwritable_snapshot_is_ignored(
    store: Store[Lesson], embedder: WordLlamaEmbedder, calibration: Calibration, tmp_path: Path
) -> None:
    (tmp_path / "lessons.npz").mkdir()
    (tmp_path / "lessons.records").mkdir()
    lessons = Collection(store, embedder, calibration, cache=tmp_path / "lessons.npz")
    lessons.ingest(LESSONS)
    lessons.save_cache()
    Collection(
        store, embedder, calibration, cache=tmp_path / "nowhere" / "lessons.npz"
    ).save_cache()
    assert search(lessons, PROMPTS[0])
    assert {path.name for path in tmp_path.iterdir()} == {"db", "lessons.npz", "lessons.records"}


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory, embedder: WordLlamaEmbedder) -> Path:
    path = tmp_path_factory.mktemp("snapshot") / "lessons.npz"
    digests = [hash_stored(StoredRecord(lesson, "token")) for lesson in LESSONS]
    index_data = build_index_data(TEXTS, embedder.embed_documents(TEXTS))
    write_index_cache(path, "wordllama", digests, index_data)
    return path


def read(path: Path) -> list[bytes] | None:
    cache = read_index_cache(path, "wordllama")
    if cache is None:
        return None
    digests, vectors, index_data = cache
    arrays: list[Array] = [vectors]
    if index_data:
        for lists in (index_data.words, index_data.tokens):
            arrays += [lists.tokens, lists.bounds]
    return [*digests, *(array.tobytes() for array in arrays)]


def test_snapshot_survives_a_round_trip(snapshot: Path) -> None:
    assert read(snapshot)
    assert read_index_cache(snapshot, "ollama") is None
    assert read_index_cache(snapshot.with_name("nowhere"), "wordllama") is None


def test_vectors_of_another_version_are_reused(snapshot: Path, tmp_path: Path) -> None:
    arrays = dict(np.load(snapshot))
    arrays["kind"] = np.array(["1 wordllama"])
    np.savez(tmp_path / "lessons.npz", allow_pickle=True, **arrays)
    cache, before = (
        read_index_cache(path, "wordllama") for path in (tmp_path / "lessons.npz", snapshot)
    )
    assert cache
    assert before
    assert cache.index_data is None
    assert cache.digests == before.digests
    assert (cache.vectors == before.vectors).all()


@settings(max_examples=examples(300))
@given(data=st.data())
def test_damaged_file_is_ignored(snapshot: Path, tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(snapshot.read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    end = data.draw(st.integers(0, len(content)) | st.just(len(content)))
    damaged = tmp_path / "lessons.npz"
    damaged.write_bytes(content[:end])
    assert read(damaged) in (None, read(snapshot))


@given(content=st.binary(max_size=200))
def test_any_other_file_is_ignored(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "lessons.npz").write_bytes(content)
    assert read(tmp_path / "lessons.npz") is None


def add(name: str, value: float) -> Callable[[dict[str, Array]], object]:
    def forge(arrays: dict[str, Array]) -> None:
        arrays[name] = arrays[name].copy()
        arrays[name].flat[0] += np.array(value).astype(arrays[name].dtype)

    return forge


@pytest.mark.parametrize(
    "forge",
    [
        add("words.bounds", 9),
        add("words.bounds", -9),
        add("wholes", np.nan),
        lambda arrays: arrays.update(digests=arrays["digests"][1:]),
        lambda arrays: arrays.update(wholes=arrays["wholes"][1:]),
        lambda arrays: arrays.update(words=arrays["words"][1:]),
        lambda arrays: arrays.update(words=arrays["words"].astype(float)),
        lambda arrays: arrays.update(kind=np.array(["5"])),
        lambda arrays: arrays.update(kind=np.array([tuple], object)),
        add("tokens.bounds", 9),
        add("tokens", 50_000),
        lambda arrays: arrays.update(tokens=arrays["tokens"][1:]),
        lambda arrays: arrays.update({"tokens.bounds": arrays["tokens.bounds"][:0]}),
        lambda arrays: arrays.update({"tokens.bounds": arrays["tokens.bounds"][1:]}),
        lambda arrays: arrays.update({"tokens.bounds": arrays["tokens.bounds"][[0, -1]]}),
        lambda arrays: arrays.pop("words"),
    ],
)
def test_forged_file_is_ignored(
    snapshot: Path, tmp_path: Path, forge: Callable[[dict[str, Array]], object]
) -> None:
    arrays = dict(np.load(snapshot))
    forge(arrays)
    with (tmp_path / "lessons.npz").open("wb") as file:
        np.savez(file, allow_pickle=True, **arrays)
    assert read(tmp_path / "lessons.npz") is None


def test_records_without_a_snapshot_are_counted(
    store: Store[Lesson], embedder: WordLlamaEmbedder, calibration: Calibration, tmp_path: Path
) -> None:
    store.save(LESSONS[1:], embedder.embed_documents(TEXTS[1:]))
    lessons = Collection(store, embedder, calibration, cache=tmp_path / "lessons.npz")
    assert lessons.unsaved == len(LESSONS) - 1
    lessons.ingest(LESSONS[:1])
    assert lessons.unsaved == len(LESSONS)
    lessons.save_cache()
    assert lessons.unsaved == 0
