"""Embed texts with a sentence transformer such as all-MiniLM-L6-v2, using ONNX Runtime.

The model runs in this process. Its folder contains either model.onnx, or a BERT in
model.safetensors and config.json; tokenizer.json is in the same or in the parent folder. Nothing is
ever downloaded.
"""

import hashlib
import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime  # type: ignore[import-untyped] # it has no stubs
from tokenizers import Tokenizer

from hookwright_console.files.regular import open_regular
from hookwright_console.text import shorten
from hookwright_retrieval.embedders import EmbedderError, Vectors, make_plain, scale
from hookwright_retrieval.embedders.bert import WEIGHTS, convert_bert

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"
CACHE = Path("~/.cache")
MINILM = "models--sentence-transformers--all-MiniLM-L6-v2"
# Where `hf download`, Chroma and other programs store downloaded models.
USUAL = (
    f"huggingface/hub/{MINILM}/snapshots/*",
    f"huggingface/hub/{MINILM}/snapshots/*/onnx",
    "chroma/onnx_models/all-MiniLM-L6-v2/onnx",
)
MAX_TOKENS = 256  # maximum length that MiniLM was trained with; the rest of a text is ignored
BATCH = 32  # texts per call
DIGITS = 12  # digits of the digest in the embedder's name
CHUNK = 1_000_000  # bytes to read at once
HOW = (
    "run `hf download sentence-transformers/all-MiniLM-L6-v2`,"
    " or choose a folder or Python package with --model"
)

Tokens = npt.NDArray[np.int64]


class OnnxEmbedder:
    """A sentence transformer that runs in this process."""

    is_up = True

    def __init__(self, model: str | None = None) -> None:
        """Load a model from its folder, or from a package with this import name.

        If it is None, a model downloaded by Chroma or another program is used. Raises EmbedderError
        if the model is missing or is not a sentence transformer.
        """
        path, tokenizer = find_model(model)
        self.name = f"onnx/{digest_file(path)}"
        self.model = f"onnx ({model or 'all-MiniLM-L6-v2'})"
        try:
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
            self._tokenizer.enable_truncation(MAX_TOKENS)
            self._tokenizer.enable_padding()
            options = onnxruntime.SessionOptions()
            options.log_severity_level = 4  # errors are reported as a single line instead
            content = convert_bert(path.parent, MAX_TOKENS) if path.name == WEIGHTS else str(path)
            self._session = onnxruntime.InferenceSession(
                content, options, providers=["CPUExecutionProvider"]
            )
            self._inputs = {tensor.name for tensor in self._session.get_inputs()}
            self.dimensions = len(self._embed(["a"])[0])
        except Exception as error:  # noqa: BLE001 - both libraries raise errors of many kinds
            reason = shorten(" ".join(str(error).split()))
            raise EmbedderError(
                f"{path} is not a sentence transformer ({reason}): choose another --model"
            ) from None

    def check(self) -> bool:
        return True

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        vectors: Vectors = np.zeros((len(texts), self.dimensions), np.float32)
        # Texts are sorted by length, because a batch is padded to its longest text.
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            vectors[batch] = self._embed([make_plain(texts[number]) for number in batch])
        return vectors

    def embed_query(self, text: str) -> Vectors:
        vector: Vectors = self._embed([make_plain(text)])[0]
        return vector

    def _embed(self, texts: Sequence[str]) -> Vectors:
        """Return the mean of each text's token vectors, scaled to unit length."""
        encoded = self._tokenizer.encode_batch(list(texts))
        mask: Tokens = np.array([encoding.attention_mask for encoding in encoded], np.int64)
        known = {
            "input_ids": np.array([encoding.ids for encoding in encoded], np.int64),
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(mask),
        }
        inputs = {name: value for name, value in known.items() if name in self._inputs}
        [tokens, *_] = self._session.run(None, inputs)
        weights = mask[..., None].astype(np.float32)
        if tokens.ndim != weights.ndim:
            raise ValueError("the first output of the model is not one vector per token")
        return scale((tokens * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9))


def find_model(model: str | None) -> tuple[Path, Path]:
    """Return the files of a model and its tokenizer, which `OnnxEmbedder` describes."""
    for folder in list_folders(model):
        for tokenizer in (folder / TOKENIZER, folder.parent / TOKENIZER):
            if (folder / MODEL).is_file() and tokenizer.is_file():
                return folder / MODEL, tokenizer
            if (folder / WEIGHTS).is_file() and tokenizer.is_file():
                return folder / WEIGHTS, tokenizer
    if model:
        raise EmbedderError(
            f"expected a folder or package with {MODEL} or {WEIGHTS}, and {TOKENIZER},"
            f" got '{shorten(model)}'"
        )
    raise EmbedderError(f"no {MODEL} or {WEIGHTS} below {CACHE.expanduser()}: {HOW}")


def list_folders(model: str | None) -> Iterator[Path]:
    if not model:
        for place in USUAL:
            yield from sorted(CACHE.expanduser().glob(place))
        return
    roots = [Path(model).expanduser()]
    if model.isidentifier() and (found := importlib.util.find_spec(model)):
        roots += map(Path, found.submodule_search_locations or ())
    for root in roots:
        yield from (root, root / "onnx", root / "model")


def digest_file(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with open_regular(path) as file:
            while chunk := file.read(CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise EmbedderError(
            f"cannot read {path}: {error.strerror} (choose another --model)"
        ) from None
    return digest.hexdigest()[:DIGITS]
