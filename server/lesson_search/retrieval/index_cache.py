"""Cache the index data of records in a file, for a quick start.

Data of records that have changed since is ignored, and so is a file that is damaged.
"""

import hashlib
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hookwright_console.atomic_files import replacing
from hookwright_console.regular_files import open_regular
from hookwright_retrieval.embedders import Vectors
from hookwright_retrieval.stored_arrays import (
    Arrays,
    fit,
    pack_postings,
    pack_tokens,
    require,
    take,
    unpack_postings,
    unpack_tokens,
)
from lesson_search.retrieval.ranking import IndexData

VERSION = 4  # of the index data and the file format
DIGEST = 16  # bytes

Digests = npt.NDArray[np.uint8]


def digest(identity: str, version: str, text: str) -> bytes:
    """Return a digest of one version of a record."""
    whole = f"{identity}\0{version}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(whole, digest_size=DIGEST).digest()


def write_index_cache(
    path: Path, embedder: str, digests: Sequence[bytes], index_data: IndexData
) -> None:
    """Write the cache; if that fails, the old one stays.

    Args:
        path: The file.
        embedder: The name of the embedder.
        digests: The digests of the records, in order.
        index_data: The index data of the records.

    """
    arrays: Arrays = {
        "kind": np.array([f"{VERSION} {embedder}"]),
        "digests": np.frombuffer(b"".join(digests), np.uint8).reshape(-1, DIGEST),
        "wholes": index_data.wholes,
        "passages": index_data.passages,
        "owners": index_data.owners,
        **pack_tokens("tokens", index_data.tokens),
        **pack_postings("words", index_data.words),
        **pack_postings("grams", index_data.grams),
    }
    # Without a cache the next start only takes longer.
    with suppress(OSError), replacing(path, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


class CachedIndex(NamedTuple):
    """What a cache file has.

    Args:
        digests: The digests of the records.
        wholes: Their vectors, of shape (records, dimensions).
        index_data: Their index data; None if the file is of another version.

    """

    digests: list[bytes]
    wholes: Vectors
    index_data: IndexData | None


def read_index_cache(path: Path, embedder: str) -> CachedIndex | None:
    """Read the cache.

    Args:
        path: The file.
        embedder: The name of the embedder that the vectors must come from.

    Returns:
        The cache; None if the file is missing, damaged, or from another embedder.

    """
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
            wholes = take(arrays, "wholes", np.float32, 2)
            index_data = read_index_data(arrays, wholes) if version == str(VERSION) else None
        check_vectors(wholes, digests)
        if index_data:
            check(index_data)
        return CachedIndex([row.tobytes() for row in digests], wholes, index_data)
    except Exception:  # noqa: BLE001 - a damaged file is ignored, whatever the damage
        return None


def read_index_data(arrays: Mapping[str, Any], wholes: Vectors) -> IndexData:
    return IndexData(
        unpack_postings("words", arrays),
        unpack_postings("grams", arrays),
        unpack_tokens("tokens", arrays),
        wholes,
        take(arrays, "passages", np.float32, 2),
        take(arrays, "owners", np.int64, 1),
    )


def check_vectors(wholes: Vectors, digests: Digests) -> None:
    """Raise ValueError unless there is a vector for each digest."""
    require(digests.shape == (len(wholes), DIGEST) and bool(np.isfinite(wholes).all()))


def check(index_data: IndexData) -> None:
    """Raise ValueError unless the arrays fit each other."""
    number, passages = len(index_data.wholes), index_data.passages
    require(number == len(index_data.words) == len(index_data.grams))
    require(2 * number == len(index_data.tokens))
    require(len(index_data.owners) == len(passages) and fit(index_data.owners, number))
    require(bool(np.isfinite(passages).all()))
    require(not len(passages) or passages.shape[1] == index_data.wholes.shape[1])
