"""Write a BERT with two small layers as safetensors, and compute its vectors in plain numpy."""

import json
import math
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file
from tokenizers import Tokenizer

from hookwright_retrieval.embedders import scale

from .tiny_onnx_model import WORDS, write_model

CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 256,
}
WIDTH, WIDE = 8, 16

Numbers = npt.NDArray[np.float32]


def make_weights() -> dict[str, Numbers]:
    sizes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (256, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    norms = ["embeddings"]
    for number in range(2):
        layer = f"encoder.layer.{number}."
        norms += [f"{layer}attention.output", f"{layer}output"]
        dense = {f"attention.self.{name}": (WIDTH, WIDTH) for name in ("query", "key", "value")}
        dense |= {"attention.output.dense": (WIDTH, WIDTH)}
        dense |= {"intermediate.dense": (WIDE, WIDTH), "output.dense": (WIDTH, WIDE)}
        for name, size in dense.items():
            sizes |= {f"{layer}{name}.weight": size, f"{layer}{name}.bias": size[:1]}
    for name in norms:
        sizes |= {f"{name}.LayerNorm.weight": (WIDTH,), f"{name}.LayerNorm.bias": (WIDTH,)}
    random = np.random.default_rng(5)
    return {name: random.normal(size=size).astype(np.float32) for name, size in sizes.items()}


def write_bert(folder: Path, **changed: object) -> Path:
    """Write config.json, model.safetensors and tokenizer.json into a folder; return it."""
    write_model(folder)
    (folder / "model.onnx").unlink()
    (folder / "config.json").write_text(json.dumps(CONFIG | changed))
    save_file(make_weights(), folder / "model.safetensors")
    return folder


def embed_plainly(folder: Path, text: str) -> Numbers:
    ids = Tokenizer.from_file(str(folder / "tokenizer.json")).encode(text).ids
    weights = make_weights()

    def norm(name: str, x: Numbers) -> Numbers:
        x = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        scaled: Numbers = (
            x * weights[f"{name}.LayerNorm.weight"] + weights[f"{name}.LayerNorm.bias"]
        )
        return scaled

    def dense(name: str, x: Numbers) -> Numbers:
        changed: Numbers = x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
        return changed

    words, positions, types = (
        weights[f"embeddings.{name}_embeddings.weight"]
        for name in ("word", "position", "token_type")
    )
    x = norm("embeddings", words[ids] + positions[: len(ids)] + types[0])
    for number in range(2):
        layer = f"encoder.layer.{number}."
        query, key, value = (
            dense(f"{layer}attention.self.{name}", x).reshape(len(ids), 2, -1).swapaxes(0, 1)
            for name in ("query", "key", "value")
        )
        share = np.exp(query @ key.swapaxes(1, 2) / math.sqrt(WIDTH / 2))
        share /= share.sum(-1, keepdims=True)
        seen = (share @ value).swapaxes(0, 1).reshape(len(ids), WIDTH)
        x = norm(f"{layer}attention.output", x + dense(f"{layer}attention.output.dense", seen))
        wide = dense(f"{layer}intermediate.dense", x)
        wide *= (1 + np.vectorize(math.erf)(wide / math.sqrt(2))) / 2
        x = norm(f"{layer}output", x + dense(f"{layer}output.dense", wide))
    return scale(x.mean(axis=0))
