"""A sentence transformer runs in this process, with the real ONNX Runtime and a tiny model."""

import shutil
import socket
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hookwright_console.errors import ReportedError
from hookwright_retrieval.embedders import Embedder, EmbedderError, scale
from hookwright_retrieval.embedders.onnx import MAX_TOKENS
from hookwright_retrieval.embedders.registry import open_embedder

from ...support.tiny_onnx_model import TABLE, WORDS, write_model


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("onnx") / "tiny")


@pytest.fixture(scope="session")
def tiny(model: Path) -> Embedder:
    return open_embedder("onnx", str(model))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    return tmp_path


def test_vector_is_the_mean_of_the_tokens(tiny: Embedder) -> None:
    expected = scale(TABLE[[2, 3]].mean(axis=0))
    together = tiny.embed_documents(["redis memory " * 9, "docker cache", "redis"])
    assert tiny.embed_query("docker cache") == pytest.approx(expected, abs=1e-6)
    assert together[1] == pytest.approx(expected, abs=1e-6)
    assert together[2] == pytest.approx(scale(TABLE[4]), abs=1e-6)
    assert tiny.dimensions == TABLE.shape[1]
    assert tiny.embed_documents([]).shape == (0, TABLE.shape[1])


@pytest.mark.parametrize("text", ["", "\ud83e", "docker " * 10_000])
def test_any_text_can_be_embedded(tiny: Embedder, text: str) -> None:
    vector = tiny.embed_query(text)
    assert vector.shape == (TABLE.shape[1],)
    assert np.linalg.norm(vector) == pytest.approx(1.0 if text else 0.0, abs=1e-5)


def test_text_beyond_the_limit_is_ignored(tiny: Embedder) -> None:
    text = "docker " * MAX_TOKENS
    assert tiny.embed_query(text + "redis " * 99) == pytest.approx(tiny.embed_query(text))


def test_name_distinguishes_models(tiny: Embedder, model: Path, tmp_path: Path) -> None:
    moved = shutil.copytree(model, tmp_path / "moved")
    assert open_embedder("onnx", str(moved)).name == tiny.name
    assert open_embedder("onnx", str(write_model(tmp_path / "b", TABLE + 1))).name != tiny.name


@pytest.mark.parametrize(
    "place",
    [
        "chroma/onnx_models/all-MiniLM-L6-v2/onnx",
        "huggingface/hub/models--sentence-transformers--all-MiniLM-L6-v2/snapshots/c9/onnx",
    ],
)
def test_downloaded_model_is_found(home: Path, model: Path, tiny: Embedder, place: str) -> None:
    shutil.copytree(model, home / ".cache" / place)
    assert open_embedder("onnx").name == tiny.name


def test_packaged_model_is_found(
    model: Path, tiny: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(model, tmp_path / "tiny_package" / "onnx")
    (tmp_path / "tiny_package" / "onnx" / "tokenizer.json").rename(
        tmp_path / "tiny_package" / "tokenizer.json"
    )
    (tmp_path / "tiny_package" / "__init__.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert open_embedder("onnx", "tiny_package").name == tiny.name
    assert "tiny_package" not in sys.modules


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("onnx",), r"^no model.onnx or model.safetensors below .+: run .+--model$"),
        (("onnx", "nowhere"), r"^expected a folder or package with .+, got 'nowhere'"),
        (("onnx", "json"), r"got 'json'"),
        (("onnx", "a\0b"), r"got 'a.+b'"),
        (("onnx", None, "http://127.0.0.1:1"), r"^onnx has no URL"),
    ],
)
def test_missing_model_is_reported(
    home: Path, arguments: tuple[Any, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not list(home.iterdir())

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(ReportedError, match=message) as caught:
        open_embedder(*arguments)
    assert "\n" not in str(caught.value)


def test_other_files_are_not_a_model(tmp_path: Path) -> None:
    damaged = write_model(tmp_path / "damaged")
    (damaged / "model.onnx").write_bytes(b"no model\n" * 9)
    words = write_model(tmp_path / "words")
    (words / "tokenizer.json").write_text("{}")
    flat = write_model(tmp_path / "flat", np.zeros(len(WORDS), np.float32))
    for folder in (damaged, words, flat):
        with pytest.raises(EmbedderError, match=r"is not a sentence transformer \(") as caught:
            open_embedder("onnx", str(folder))
        assert "\n" not in str(caught.value)
