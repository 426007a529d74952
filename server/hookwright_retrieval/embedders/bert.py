"""Convert a BERT model from safetensors, the format of sentence transformers, to ONNX.

The model is written field by field as described in
https://protobuf.dev/programming-guides/encoding, with the field numbers from
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. It uses ONNX Runtime's own operators
(https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md).
"""

import json
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load

from hookwright_console.files.regular import read_regular

CONFIG, WEIGHTS, POOLING = "config.json", "model.safetensors", "1_Pooling/config.json"
FLOAT, INT32, INT64 = 1, 6, 7  # number types
IR_VERSION, OPSET = 8, 17
OWN = "com.microsoft"  # domain name of ONNX Runtime's own operators
WORDS, POSITIONS, TYPES = (
    f"embeddings.{name}_embeddings.weight" for name in ("word", "position", "token_type")
)

Field = tuple[int, int | float | str | bytes]


def convert_bert(folder: Path, tokens: int) -> bytes:
    """Return a BERT model as an ONNX model that turns token numbers into one vector per token.

    Texts have up to `tokens` tokens. Raises OSError, KeyError or ValueError if a file, setting or
    tensor is missing, or if the model is not a BERT.
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
    tensors[POSITIONS] += tensors.pop(TYPES)[0]  # every token has type 0
    layers = [f"encoder.layer.{number}." for number in range(config["num_hidden_layers"])]
    for layer in layers:
        for kind in ("weight", "bias"):
            names = [f"{layer}attention.self.{name}.{kind}" for name in ("query", "key", "value")]
            tensors[layer + kind] = np.concatenate([tensors.pop(name) for name in names]).T
    nodes = list_nodes(layers, config["num_attention_heads"], config["layer_norm_eps"])
    graph: list[Field] = [
        *((1, node) for node in nodes),
        (2, "bert"),
        *((5, write_tensor(name, value)) for name, value in tensors.items()),
        *((11, describe_array(name, INT64, 2)) for name in ("input_ids", "attention_mask")),
        (12, describe_array(f"{layers[-1]}output", FLOAT, 3)),
    ]
    opsets = (encode([(1, domain), (2, version)]) for domain, version in (("", OPSET), (OWN, 1)))
    return encode([(1, IR_VERSION), (7, encode(graph)), *((8, opset) for opset in opsets)])


def list_nodes(layers: Sequence[str], heads: int, epsilon: float) -> Iterator[bytes]:
    """Yield the operations, most of whose results are named like the tensors that they use."""

    def multiply(vectors: str, name: str) -> bytes:
        return write_node("FusedMatMul", [vectors, f"{name}.weight"], [name], transB=1)

    def normalize(name: str, added: str) -> bytes:
        norm = [f"{name}.LayerNorm.weight", f"{name}.LayerNorm.bias"]
        inputs = [f"{name}.dense", added, *norm, f"{name}.dense.bias"]
        return write_node("SkipLayerNormalization", inputs, [name], epsilon=epsilon)

    yield write_node("Cast", ["input_ids"], ["ids"], domain="", to=INT32)
    yield write_node("Cast", ["attention_mask"], ["mask"], domain="", to=INT32)
    norm = ["embeddings.LayerNorm.weight", "embeddings.LayerNorm.bias"]
    embedded, vectors = ["ids", "", WORDS, POSITIONS, "", *norm], "vectors"
    yield write_node("EmbedLayerNormalization", embedded, [vectors, "lengths"], epsilon=epsilon)
    for own in layers:
        attention, wide, narrow = f"{own}attention.output", f"{own}intermediate", f"{own}output"
        attending = [vectors, f"{own}weight", f"{own}bias", "mask"]
        yield write_node("Attention", attending, [f"{own}attention"], num_heads=heads)
        yield multiply(f"{own}attention", f"{attention}.dense")
        yield normalize(attention, vectors)
        yield multiply(attention, f"{wide}.dense")
        yield write_node("BiasGelu", [f"{wide}.dense", f"{wide}.dense.bias"], [wide])
        yield multiply(wide, f"{narrow}.dense")
        yield normalize(narrow, attention)
        vectors = narrow


def write_node(
    operator: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    domain: str = OWN,
    **attributes: float,
) -> bytes:
    """Serialise an operation; inputs without a name are omitted."""
    fields: list[Field] = [*((1, name) for name in inputs), *((2, name) for name in outputs)]
    fields += [(4, operator), (7, domain)]
    for name, value in attributes.items():
        field, kind = (3, 2) if isinstance(value, int) else (2, 1)
        fields.append((5, encode([(1, name), (field, value), (20, kind)])))
    return encode(fields)


def write_tensor(name: str, value: npt.NDArray[np.float32]) -> bytes:
    content = np.ascontiguousarray(value, "<f4").tobytes()
    return encode([*((1, size) for size in value.shape), (2, FLOAT), (8, name), (9, content)])


def describe_array(name: str, kind: int, axes: int) -> bytes:
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
