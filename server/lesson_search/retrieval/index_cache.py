"""Cache the index data of records in a file, for a quick start.

Data of records that have changed since is ignored, and so is a file that is damaged.
"""

import hashlib
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from hookwright_console.atomic_files import replacing
from hookwright_console.regular_files import open_regular
from hookwright_retrieval.bm25 import Postings, find_type
from hookwright_retrieval.second_look import VOCABULARY, TokenLists
from lesson_search.retrieval.ranking import IndexData

VERSION = 4  # of the index data and the file format
DIGEST = 16  # bytes

Digests = npt.NDArray[np.uint8]
Array = npt.NDArray[Any]
Arrays = dict[str, Array]
Number = TypeVar("Number", bound=np.generic)


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
        **pack("words", index_data.words),
        **pack("grams", index_data.grams),
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
                unpack("words", arrays),
                unpack("grams", arrays),
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


def pack(name: str, postings: Postings) -> Arrays:
    """Return the arrays of postings by their names in the file."""
    terms = "\n".join(postings.rows).encode("utf-8", "surrogatepass")
    return {
        f"{name}.terms": np.frombuffer(terms, np.uint8),
        f"{name}.bounds": postings.bounds,
        f"{name}.documents": postings.documents,
        f"{name}.counts": postings.counts,
        f"{name}.lengths": postings.lengths,
    }


def unpack(name: str, arrays: Mapping[str, Array]) -> Postings:
    """Return the postings that `pack` stored under a name."""
    packed = take(arrays, f"{name}.terms", np.uint8, 1).tobytes()
    terms = packed.decode("utf-8", "surrogatepass").split("\n") if packed else []
    lengths = take(arrays, f"{name}.lengths", np.float32, 1)
    postings = Postings(
        {term: row for row, term in enumerate(terms)},
        take(arrays, f"{name}.bounds", np.int64, 1),
        take(arrays, f"{name}.documents", find_type(len(lengths)), 1),
        take(arrays, f"{name}.counts", np.uint16, 1),
        lengths,
    )
    bounds, size = postings.bounds, len(postings.documents)
    require(len(postings.rows) == len(terms) == len(bounds) - 1)
    require(bounds[0] == 0 and bounds[-1] == size == len(postings.counts))
    require((np.diff(bounds) > 0).all() and (postings.lengths >= 0).all())
    require(fit(postings.documents, len(postings)))
    return postings


def pack_tokens(name: str, lists: TokenLists) -> Arrays:
    """Return the arrays of tokens by their names in the file."""
    return {name: lists.tokens, f"{name}.bounds": lists.bounds}


def unpack_tokens(name: str, arrays: Mapping[str, Array]) -> TokenLists:
    """Return the tokens that `pack_tokens` stored under a name."""
    tokens, bounds = take(arrays, name, np.uint16, 1), take(arrays, f"{name}.bounds", np.int64, 1)
    require(len(bounds) and bounds[0] == 0 and bounds[-1] == len(tokens))
    require((np.diff(bounds) >= 0).all() and fit(tokens, VOCABULARY))
    return TokenLists(tokens, bounds)


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


def take(
    arrays: Mapping[str, Array], name: str, kind: type[Number], dimensions: int
) -> npt.NDArray[Number]:
    """Return an array, which must have this type and number of dimensions."""
    array = arrays[name]
    require(array.dtype == kind and array.ndim == dimensions)
    return np.ascontiguousarray(array, kind)


def fit(numbers: npt.NDArray[np.integer], size: int) -> bool:
    """Return whether all numbers are from 0 to size - 1."""
    return not len(numbers) or bool(numbers.min() >= 0 and numbers.max() < size)


def require(holds: object) -> None:
    """Raise ValueError unless a condition holds."""
    if not holds:
        raise ValueError("the cache is damaged")
