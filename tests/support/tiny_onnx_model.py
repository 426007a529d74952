"""Write a sentence transformer that knows a few words and looks their token vectors up in a table.

The file is written field by field, as described at
https://protobuf.dev/programming-guides/encoding, with the field numbers of
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

WORDS = ["[PAD]", "[UNK]", "docker", "cache", "redis", "memory"]
TABLE = np.random.default_rng(7).normal(size=(len(WORDS), 8)).astype(np.float32)
FLOAT, INT64 = 1, 7  # data type numbers


def write_model(folder: Path, table: npt.NDArray[np.float32] = TABLE, op: str = "Gather") -> Path:
    folder.mkdir(parents=True)
    tokenizer = Tokenizer(WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    node = encode([(1, "table"), (1, "input_ids"), (2, "last_hidden_state"), (4, op)])
    sizes = [(1, size) for size in table.shape]
    tensor = encode([*sizes, (2, FLOAT), (8, "table"), (9, table.tobytes())])
    ids = describe("input_ids", INT64, ["texts", "tokens"])
    vectors = describe("last_hidden_state", FLOAT, ["texts", "tokens", "dimensions"])
    graph = encode([(1, node), (2, "tiny"), (5, tensor), (11, ids), (12, vectors)])
    (folder / "model.onnx").write_bytes(encode([(1, 8), (7, graph), (8, encode([(2, 13)]))]))
    return folder


def describe(name: str, kind: int, axes: list[str]) -> bytes:
    shape = encode([(1, encode([(2, axis)])) for axis in axes])
    return encode([(1, name), (2, encode([(1, encode([(1, kind), (2, shape)]))]))])


def encode(fields: list[tuple[int, int | str | bytes]]) -> bytes:
    parts = []
    for number, value in fields:
        if isinstance(value, int):
            parts.append(encode_number(number << 3) + encode_number(value))
        else:
            content = value.encode() if isinstance(value, str) else value
            parts.append(encode_number(number << 3 | 2) + encode_number(len(content)) + content)
    return b"".join(parts)


def encode_number(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])
