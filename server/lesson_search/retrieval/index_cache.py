"""Cache the index data of records in a file, for a quick start.

Data of records that have changed since is ignored, and so is a file that is damaged.
"""

import hashlib
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hookwright_console.atomic_files import replacing
from hookwright_console.regular_files import open_regular
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


def read_index_cache(path: Path, embedder: str) -> tuple[list[bytes], IndexData] | None:
    """Read the cache.

    Args:
        path: The file.
        embedder: The name of the embedder that the vectors must come from.

    Returns:
        The digests of the records and their index data; None if the file is missing, damaged, or
        from another embedder.

    """
    try:
        with open_regular(path) as file, np.load(file, allow_pickle=False) as arrays:
            # Compressed data could have any size once unpacked.
            if any(part.compress_type != zipfile.ZIP_STORED for part in arrays.zip.infolist()):
                return None
            if arrays["kind"].tolist() != [f"{VERSION} {embedder}"]:
                return None
            index_data = IndexData(
                unpack_postings("words", arrays),
                unpack_postings("grams", arrays),
                unpack_tokens("tokens", arrays),
                take(arrays, "wholes", np.float32, 2),
                take(arrays, "passages", np.float32, 2),
                take(arrays, "owners", np.int64, 1),
            )
            digests = take(arrays, "digests", np.uint8, 2)
        check(index_data, digests)
        return [row.tobytes() for row in digests], index_data
    except Exception:  # noqa: BLE001 - a damaged file is ignored, whatever the damage
        return None


def check(index_data: IndexData, digests: Digests) -> None:
    """Raise ValueError unless the arrays fit each other and the number of digests."""
    number = len(digests)
    vectors = (index_data.wholes, index_data.passages)
    require(number == len(index_data.words) == len(index_data.grams) == len(index_data.wholes))
    require(
        digests.shape == (number, DIGEST) and len(index_data.owners) == len(index_data.passages)
    )
    require(2 * number == len(index_data.tokens))
    require(fit(index_data.owners, number) and all(np.isfinite(each).all() for each in vectors))
    require(not len(index_data.owners) or vectors[0].shape[1] == vectors[1].shape[1])
