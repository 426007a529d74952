"""A BERT in safetensors works without torch, and its vectors match a plain numpy computation."""

import json
from pathlib import Path

import pytest

from hookwright_retrieval.embedders import EmbedderError
from hookwright_retrieval.embedders.registry import open_embedder

from ...support.tiny_bert import embed_plainly, write_bert


def test_vectors_match_the_model(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "bert")
    embedder = open_embedder("onnx", str(folder))
    texts = ["docker cache", "redis memory docker cache redis", "memory"]
    together = embedder.embed_documents(texts)
    for text, vector in zip(texts, together, strict=True):
        assert vector == pytest.approx(embed_plainly(folder, text), abs=1e-5)
        assert embedder.embed_query(text) == pytest.approx(vector, abs=1e-5)


def test_packaged_model_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = open_embedder("onnx", str(write_bert(tmp_path / "tiny_bert" / "model"))).name
    (tmp_path / "tiny_bert" / "__init__.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert open_embedder("onnx", "tiny_bert").name == name


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"model_type": "roberta"}, "not a BERT"),
        ({"hidden_act": "relu"}, "not a BERT"),
        ({"max_position_embeddings": 64}, "fewer than 256 tokens"),
        ({"num_hidden_layers": 3}, "encoder.layer.2"),
    ],
)
def test_other_models_are_rejected(tmp_path: Path, changed: dict[str, object], reason: str) -> None:
    folder = write_bert(tmp_path / "bert", **changed)
    with pytest.raises(EmbedderError, match=rf"not a sentence transformer \(.*{reason}") as caught:
        open_embedder("onnx", str(folder))
    assert "\n" not in str(caught.value)


def test_other_pooling_is_rejected(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "bert")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    with pytest.raises(EmbedderError, match="does not use mean pooling"):
        open_embedder("onnx", str(folder))


def test_downloaded_model_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    cache = tmp_path / ".cache/huggingface/hub/models--sentence-transformers--all-MiniLM-L6-v2"
    name = open_embedder("onnx", str(write_bert(cache / "snapshots" / "c9"))).name
    assert open_embedder("onnx").name == name
