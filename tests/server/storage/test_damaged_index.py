"""No damage to Chroma's vector index loses a record, with real Chroma."""

import random
import shutil
from collections.abc import Callable
from itertools import cycle, product
from pathlib import Path

import numpy as np
import pytest

from hookwright_retrieval.embedders import EmbedderError
from lesson_search.records import Lesson
from lesson_search.retrieval.collection import Collection
from lesson_search.storage.chroma import Chroma
from lesson_search.storage.store import Store, reindex

from ...support.letter_embedder import CALIBRATION, LetterEmbedder

FILES = (
    "header.bin",
    "data_level0.bin",
    "length.bin",
    "link_lists.bin",
    "index_metadata.pickle",
)
LESSONS = [Lesson(f"{number:04}", f"Lesson {number}") for number in range(1200)]
Damage = Callable[[Path, random.Random], object]


def cut(file: Path, choice: random.Random) -> None:
    file.write_bytes(file.read_bytes()[: choice.randrange(file.stat().st_size)])


def grow(file: Path, choice: random.Random) -> None:
    file.write_bytes(file.read_bytes() + choice.randbytes(99))


def clear(file: Path, _choice: random.Random) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def change(file: Path, choice: random.Random) -> None:
    content = bytearray(file.read_bytes())
    for _ in range(choice.choice((1, 9, 999))):
        content[choice.randrange(len(content))] ^= choice.randint(1, 255)
    file.write_bytes(content)


def remove(file: Path, _choice: random.Random) -> None:
    file.unlink()


def swap(file: Path, choice: random.Random) -> None:
    other = file.with_name(choice.choice([name for name in FILES if name != file.name]))
    content = file.read_bytes()
    file.write_bytes(other.read_bytes())
    other.write_bytes(content)


DAMAGES = (cut, grow, clear, change, remove, swap)
EVERY = [pytest.param(*pair, marks=pytest.mark.long) for pair in product(FILES, DAMAGES)]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved")
    client = Chroma(folder / "db")
    lessons = open_lessons(folder, Store(client, Lesson, "letters"))
    lessons.ingest(LESSONS)
    lessons.save_cache()
    client.close()
    return folder


def open_lessons(folder: Path, store: Store[Lesson]) -> "Collection[Lesson]":
    return Collection(store, LetterEmbedder(), CALIBRATION, folder / "lessons.npz")


@pytest.mark.parametrize(("name", "damage"), [*zip(cycle(FILES), DAMAGES), *EVERY])
def test_damaged_index_loses_no_lesson(
    saved: Path, tmp_path: Path, name: str, damage: Damage
) -> None:
    folder = shutil.copytree(saved, tmp_path / "data")
    [file] = folder.glob(f"db/*/{name}")
    damage(file, random.Random(f"{name} {damage.__name__}"))  # noqa: S311 - it protects nothing
    client = Chroma(folder / "db")
    store = Store(client, Lesson, "letters")
    lessons = open_lessons(folder, store)
    assert lessons.list_records() == LESSONS
    assert lessons.search("Lesson 1", 9, 0.0)
    lessons.ingest([Lesson("new", "Lesson"), Lesson("0001", "Changed")])
    lessons.remove(["0002", "nobody"])
    assert len(store.load()) == len(LESSONS)
    client.close()


def test_lost_vectors_are_recomputed(saved: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(saved, tmp_path / "data")
    expected = open_lessons(folder, Store(Chroma(folder / "db"), Lesson, "letters"))
    (folder / "lessons.npz").unlink()
    lessons = open_lessons(folder, Store(Chroma(folder / "db"), Lesson, "letters"))
    assert lessons.search("Lesson 7", 9, 0.0) == expected.search("Lesson 7", 9, 0.0)


def test_lessons_without_vectors_can_be_listed_while_the_embedder_is_down(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(saved, tmp_path / "data")
    (folder / "lessons.npz").unlink()
    with monkeypatch.context() as patch:
        patch.setattr(LetterEmbedder, "embed_documents", fail)
        lessons = open_lessons(folder, Store(Chroma(folder / "db"), Lesson, "letters"))
        assert lessons.list_records() == LESSONS
        assert not lessons.catch_up()
    assert lessons.catch_up()
    assert lessons.search("Lesson 7", 1, 0.0)


def fail(*_: object) -> np.ndarray:
    raise EmbedderError("down")


def test_damaged_index_is_rebuilt_by_embedding_again(saved: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(saved, tmp_path / "data")
    for file in folder.glob("db/*/header.bin"):
        file.write_bytes(file.read_bytes()[:50])
    client = Chroma(folder / "db")
    assert reindex(client, LetterEmbedder(), lambda *_: None)["lessons"] == len(LESSONS)
    _, vectors = Store(client, Lesson, "letters").fetch(["0007"])
    assert vectors == pytest.approx(LetterEmbedder().embed_documents(["Lesson 7"]))
