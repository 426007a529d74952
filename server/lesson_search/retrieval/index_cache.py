"""Keep in a file what the ranking derived from the records, so that a start need not do it again.

The file is never the truth: whatever in it is not of a record as it is now is left, and so is the
whole file where it is not as it should be.
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
from lesson_search.retrieval.bm25 import Postings
from lesson_search.retrieval.ranking import Derived

VERSION = 1  # of what is derived, and of the file
DIGEST = 16  # bytes

Digests = npt.NDArray[np.uint8]
Array = npt.NDArray[Any]
Arrays = dict[str, Array]
Number = TypeVar("Number", bound=np.generic)


def digest(identity: str, written: str, text: str) -> bytes:
    """Return what tells a writing of a record, and its text, from any other."""
    whole = f"{identity}\0{written}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(whole, digest_size=DIGEST).digest()


def write_snapshot(path: Path, embedder: str, digests: Sequence[bytes], derived: Derived) -> None:
    """Write a snapshot in the place of one that is there; where that fails, nothing changes.

    Args:
        path: The file.
        embedder: The name of what the vectors come from.
        digests: Of the records that were derived from, in their order.
        derived: What was.

    """
    arrays: Arrays = {
        "kind": np.array([f"{VERSION} {embedder}"]),
        "digests": np.frombuffer(b"".join(digests), np.uint8).reshape(-1, DIGEST),
        "wholes": derived.wholes,
        "passages": derived.passages,
        "owners": derived.owners,
        **pack("words", derived.words),
        **pack("grams", derived.grams),
    }
    # Where that fails the next start takes longer, and that is all.
    with suppress(OSError), replacing(path, "wb") as file:
        np.savez(file, allow_pickle=False, **arrays)


def read_snapshot(path: Path, embedder: str) -> tuple[list[bytes], Derived] | None:
    """Return the digests of the records that were derived from, and what was.

    Args:
        path: The file.
        embedder: The name of what the vectors should come from.

    Returns:
        None where there is no such file, or it is of another embedder, or not as it should be.

    """
    try:
        with open_regular(path) as file, np.load(file, allow_pickle=False) as arrays:
            # What is packed could have any size once it is unpacked.
            if any(part.compress_type != zipfile.ZIP_STORED for part in arrays.zip.infolist()):
                return None
            if arrays["kind"].tolist() != [f"{VERSION} {embedder}"]:
                return None
            derived = Derived(
                unpack("words", arrays),
                unpack("grams", arrays),
                take(arrays, "wholes", np.float32, 2),
                take(arrays, "passages", np.float32, 2),
                take(arrays, "owners", np.int64, 1),
            )
            digests = take(arrays, "digests", np.uint8, 2)
        check(derived, digests)
        return [row.tobytes() for row in digests], derived
    except Exception:  # noqa: BLE001 - whatever is in the file, it is only not taken over
        return None


def pack(name: str, postings: Postings) -> Arrays:
    """Return the arrays of postings, by their names in the file."""
    terms = "\n".join(postings.rows).encode("utf-8", "surrogatepass")
    return {
        f"{name}.terms": np.frombuffer(terms, np.uint8),
        f"{name}.bounds": postings.bounds,
        f"{name}.documents": postings.documents,
        f"{name}.counts": postings.counts,
        f"{name}.lengths": postings.lengths,
    }


def unpack(name: str, arrays: Mapping[str, Array]) -> Postings:
    """Return the postings that were packed under a name."""
    packed = take(arrays, f"{name}.terms", np.uint8, 1).tobytes()
    terms = packed.decode("utf-8", "surrogatepass").split("\n") if packed else []
    postings = Postings(
        {term: row for row, term in enumerate(terms)},
        take(arrays, f"{name}.bounds", np.int64, 1),
        take(arrays, f"{name}.documents", np.int32, 1),
        take(arrays, f"{name}.counts", np.uint16, 1),
        take(arrays, f"{name}.lengths", np.float32, 1),
    )
    bounds, size = postings.bounds, len(postings.documents)
    require(len(postings.rows) == len(terms) == len(bounds) - 1)
    require(bounds[0] == 0 and bounds[-1] == size == len(postings.counts))
    require((np.diff(bounds) > 0).all() and (postings.lengths >= 0).all())
    require(fit(postings.documents, len(postings)))
    return postings


def check(derived: Derived, digests: Digests) -> None:
    """Refuse arrays that cannot have been derived from as many records as there are digests."""
    number = len(digests)
    vectors = (derived.wholes, derived.passages)
    require(number == len(derived.words) == len(derived.grams) == len(derived.wholes))
    require(digests.shape == (number, DIGEST) and len(derived.owners) == len(derived.passages))
    require(fit(derived.owners, number) and all(np.isfinite(each).all() for each in vectors))
    require(not len(derived.owners) or vectors[0].shape[1] == vectors[1].shape[1])


def take(
    arrays: Mapping[str, Array], name: str, kind: type[Number], dimensions: int
) -> npt.NDArray[Number]:
    """Return the array of a name, which has to be of a kind and to have so many dimensions."""
    array = arrays[name]
    require(array.dtype == kind and array.ndim == dimensions)
    return np.ascontiguousarray(array, kind)


def fit(numbers: npt.NDArray[np.signedinteger], size: int) -> bool:
    """Return whether all numbers are those of one of so many documents."""
    return not len(numbers) or bool(numbers.min() >= 0 and numbers.max() < size)


def require(holds: object) -> None:
    """Raise a ValueError where something does not hold."""
    if not holds:
        raise ValueError("the snapshot is not as it should be")
