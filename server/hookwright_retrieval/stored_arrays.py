"""Store postings and tokens in named arrays, and check what is read again."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from hookwright_retrieval.bm25 import Postings, find_type
from hookwright_retrieval.second_look import VOCABULARY, TokenLists

Array = npt.NDArray[Any]
Arrays = dict[str, Array]
Number = TypeVar("Number", bound=np.generic)


def pack_postings(name: str, postings: Postings) -> Arrays:
    """Return the arrays of postings by their names in the file."""
    terms = "\n".join(postings.rows).encode("utf-8", "surrogatepass")
    return {
        f"{name}.terms": np.frombuffer(terms, np.uint8),
        f"{name}.bounds": postings.bounds,
        f"{name}.documents": postings.documents,
        f"{name}.counts": postings.counts,
        f"{name}.lengths": postings.lengths,
    }


def unpack_postings(name: str, arrays: Mapping[str, Array]) -> Postings:
    """Return the postings that `pack_postings` stored under a name."""
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
        raise ValueError("the arrays are damaged")
