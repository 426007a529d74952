"""Convert a BERT model from safetensors, the format of sentence transformers, to ONNX.

The model is written field by field as described in
https://protobuf.dev/programming-guides/encoding, with the field numbers from
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. It uses ONNX Runtime's own operators
(https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md).
"""

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load

from hookwright_console.files.regular import read_regular

CONFIG, WEIGHTS, POOLING = "config.json", "model.safetensors", "1_Pooling/config.json"
FLOAT, INT32, INT64 = 1, 6, 7  # number types
IR_VERSION, OPSET = 8, 17
OWN = "com.microsoft"  # domain name of ONNX Runtime's own operators

Tensors = Mapping[str, npt.NDArray[np.float32]]
Field = tuple[int, int | float | str | bytes]


def convert_bert(folder: Path, tokens: int) -> bytes:
    """Return a BERT model as an ONNX model that turns token numbers into one vector per token.

    Args:
        folder: The folder with config.json and model.safetensors.
        tokens: The maximum length of a text, in tokens.

    Raises:
        OSError, KeyError, ValueError: A file, setting or tensor is missing, or the model is not a
        BERT.

    """
    config = json.loads(read_regular(folder / CONFIG))
    if (config["model_type"], config["hidden_act"]) != ("bert", "gelu"):
        raise ValueError("not a BERT model: safetensors are supported only for BERT")
    if config["max_position_embeddings"] < tokens:
        raise ValueError(f"it accepts fewer than {tokens} tokens")
    if (folder / POOLING).exists() and not json.loads(read_regular(folder / POOLING)).get(
        "pooling_mode_mean_tokens"
    ):
        raise ValueError("it does not use mean pooling")
    weights = load(read_regular(folder / WEIGHTS))
    tensors = {name.removeprefix("bert."): value for name, value in weights.items()}
    layers, heads = config["num_hidden_layers"], config["num_attention_heads"]
    nodes = list_nodes(layers, heads, config["layer_norm_eps"])
    kept = dict(chain(list_embeddings(tensors), *(list_layer(tensors, n) for n in range(layers))))
    inputs = (describe(name, INT64, 2) for name in ("input_ids", "attention_mask"))
    graph: list[Field] = [
        *((1, node) for node in nodes),
        (2, "bert"),
        *((5, write_tensor(name, value)) for name, value in kept.items()),
        *((11, name) for name in inputs),
        (12, describe(f"vectors{layers}", FLOAT, 3)),
    ]
    opsets = (encode([(1, domain), (2, version)]) for domain, version in (("", OPSET), (OWN, 1)))
    return encode([(1, IR_VERSION), (7, encode(graph)), *((8, opset) for opset in opsets)])


def list_embeddings(tensors: Tensors) -> Iterator[tuple[str, npt.NDArray[np.float32]]]:
    """Yield the tensors before the first layer; every token has type 0."""
    positions, types = (
        tensors[f"embeddings.{name}_embeddings.weight"] for name in ("position", "token_type")
    )
    yield "words", tensors["embeddings.word_embeddings.weight"]
    yield "positions", positions + types[0]
    yield "gamma", tensors["embeddings.LayerNorm.weight"]
    yield "beta", tensors["embeddings.LayerNorm.bias"]


def list_layer(tensors: Tensors, number: int) -> Iterator[tuple[str, npt.NDArray[np.float32]]]:
    """Yield a layer's tensors, whose names end with the layer's number."""
    own = f"encoder.layer.{number}."
    three = [f"{own}attention.self.{name}." for name in ("query", "key", "value")]
    yield (
        f"attention{number}",
        np.concatenate([tensors[f"{prefix}weight"].T for prefix in three], axis=1),
    )
    yield f"attention_bias{number}", np.concatenate([tensors[f"{prefix}bias"] for prefix in three])
    for name, place in (
        ("context", "attention.output.dense"),
        ("wide", "intermediate.dense"),
        ("narrow", "output.dense"),
    ):
        yield f"{name}{number}", tensors[f"{own}{place}.weight"].T
        yield f"{name}_bias{number}", tensors[f"{own}{place}.bias"]
    for name, place in (("middle", "attention.output"), ("end", "output")):
        yield f"{name}_gamma{number}", tensors[f"{own}{place}.LayerNorm.weight"]
        yield f"{name}_beta{number}", tensors[f"{own}{place}.LayerNorm.bias"]


def list_nodes(layers: int, heads: int, epsilon: float) -> Iterator[bytes]:
    """Yield the operations: tokens become `vectors0`, which layer 0 turns into `vectors1`."""
    norm = [write_attribute("epsilon", epsilon)]
    to = [write_attribute("to", INT32)]
    yield write_node("Cast", ["input_ids"], ["ids"], to, "")
    yield write_node("Cast", ["attention_mask"], ["mask"], to, "")
    embedded = ["ids", "", "words", "positions", "", "gamma", "beta"]
    yield write_node("EmbedLayerNormalization", embedded, ["vectors0", "lengths"], norm)
    for n in range(layers):
        before, after = f"vectors{n}", f"vectors{n + 1}"
        attention = [before, f"attention{n}", f"attention_bias{n}", "mask"]
        split = [write_attribute("num_heads", heads)]
        yield write_node("Attention", attention, [f"seen{n}"], split)
        yield write_node("MatMul", [f"seen{n}", f"context{n}"], [f"mixed{n}"], domain="")
        middle = [f"mixed{n}", before, f"middle_gamma{n}", f"middle_beta{n}", f"context_bias{n}"]
        yield write_node("SkipLayerNormalization", middle, [f"between{n}"], norm)
        yield write_node("MatMul", [f"between{n}", f"wide{n}"], [f"widened{n}"], domain="")
        yield write_node("BiasGelu", [f"widened{n}", f"wide_bias{n}"], [f"active{n}"])
        yield write_node("MatMul", [f"active{n}", f"narrow{n}"], [f"narrowed{n}"], domain="")
        end = [f"narrowed{n}", f"between{n}", f"end_gamma{n}", f"end_beta{n}", f"narrow_bias{n}"]
        yield write_node("SkipLayerNormalization", end, [after], norm)


def write_node(
    operator: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    attributes: Sequence[bytes] = (),
    domain: str = OWN,
) -> bytes:
    """Serialise an operation; inputs without a name are omitted."""
    given = [*((1, name) for name in inputs), *((2, name) for name in outputs), (4, operator)]
    return encode([*given, *((5, attribute) for attribute in attributes), (7, domain)])


def write_attribute(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return encode([(1, name), (3, value), (20, 2)])
    return encode([(1, name), (2, value), (20, 1)])


def write_tensor(name: str, value: npt.NDArray[np.float32]) -> bytes:
    content = np.ascontiguousarray(value, "<f4").tobytes()
    return encode([*((1, size) for size in value.shape), (2, FLOAT), (8, name), (9, content)])


def describe(name: str, kind: int, axes: int) -> bytes:
    """Describe an array with this many axes, each of any length."""
    shape = encode([(1, encode([(2, f"{name}{axis}")])) for axis in range(axes)])
    return encode([(1, name), (2, encode([(1, encode([(1, kind), (2, shape)]))]))])


def encode(fields: Sequence[Field]) -> bytes:
    parts = []
    for number, value in fields:
        if isinstance(value, int):
            parts += [encode_number(number << 3), encode_number(value)]
        elif isinstance(value, float):
            parts += [encode_number(number << 3 | 5), struct.pack("<f", value)]
        else:
            content = value.encode() if isinstance(value, str) else value
            parts += [encode_number(number << 3 | 2), encode_number(len(content)), content]
    return b"".join(parts)


def encode_number(value: int) -> bytes:
    encoded = bytearray()
    while value >> 7:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])
