"""Cache the index data of records in a file, for a quick start.

Data of records that have changed since is ignored, and so is a file that is damaged.
"""

import hashlib
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import open_regular
from hookwright_retrieval.embedders import Vectors
from hookwright_retrieval.second_look import VOCABULARY, TokenLists
from lesson_search.retrieval.ranking import IndexData

VERSION = 5  # of the index data and the file format
DIGEST = 16  # bytes

Number = TypeVar("Number", bound=np.generic)


def digest(identity: str, version: str, text: str) -> bytes:
    whole = f"{identity}\0{version}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(whole, digest_size=DIGEST).digest()


def write_index_cache(
    path: Path, embedder: str, digests: Sequence[bytes], index_data: IndexData
) -> None:
    arrays = {
        "kind": np.array([f"{VERSION} {embedder}"]),
        "digests": np.frombuffer(b"".join(digests), np.uint8).reshape(-1, DIGEST),
        "wholes": index_data.vectors,
        "words": index_data.words.tokens,
        "words.bounds": index_data.words.bounds,
        "tokens": index_data.tokens.tokens,
        "tokens.bounds": index_data.tokens.bounds,
    }
    # Without a cache the next start only takes longer.
    with suppress(OSError), replacing(path, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


class CachedIndex(NamedTuple):
    """What a cache file has."""

    digests: list[bytes]  # the digests of the records
    vectors: Vectors  # their vectors, of shape (records, dimensions)
    index_data: IndexData | None  # their index data; None if the file is of another version


def read_index_cache(path: Path, embedder: str) -> CachedIndex | None:
    """Read the cache, or return None if it is missing, damaged, or from another embedder."""
    try:
        with open_regular(path) as file, np.load(file, allow_pickle=False) as arrays:
            # Compressed data could have any size once unpacked.
            if any(part.compress_type != zipfile.ZIP_STORED for part in arrays.zip.infolist()):
                return None
            [kind] = arrays["kind"].tolist()
            version, _, name = kind.partition(" ")
            if name != embedder:
                return None
            digests = take(arrays, "digests", np.uint8, 2)
            vectors = take(arrays, "wholes", np.float32, 2)
            require(digests.shape == (len(vectors), DIGEST) and np.isfinite(vectors).all())
            index_data = None
            if version == str(VERSION):
                words = take_lists(arrays, "words", np.uint32, len(vectors))
                tokens = take_lists(arrays, "tokens", np.uint16, 2 * len(vectors))
                require(not len(tokens.tokens) or tokens.tokens.max() < VOCABULARY)
                index_data = IndexData(vectors, words, tokens)
        return CachedIndex([row.tobytes() for row in digests], vectors, index_data)
    except Exception:  # noqa: BLE001 - a damaged file is ignored, whatever the damage
        return None


def take_lists(
    arrays: Mapping[str, Any], name: str, kind: type[np.uint16 | np.uint32], lists: int
) -> TokenLists:
    tokens, bounds = take(arrays, name, kind, 1), take(arrays, f"{name}.bounds", np.int64, 1)
    require(len(bounds) == lists + 1 and bounds[0] == 0 and bounds[-1] == len(tokens))
    require((np.diff(bounds) >= 0).all())
    return TokenLists(tokens, bounds)


def take(
    arrays: Mapping[str, Any], name: str, kind: type[Number], dimensions: int
) -> npt.NDArray[Number]:
    array = arrays[name]
    require(array.dtype == kind and array.ndim == dimensions)
    return np.ascontiguousarray(array, kind)


def require(holds: object) -> None:
    if not holds:
        raise ValueError("the arrays are damaged")
