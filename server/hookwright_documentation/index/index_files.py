"""The files of an index: arrays that are mapped into memory, and what they belong to.

They may come from elsewhere, or be damaged, so what is read is checked: nothing in them can make a
search fail, read beyond an array, or run code.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hookwright_console.atomic_files import replacing
from hookwright_console.regular_files import open_regular, read_regular
from hookwright_documentation.index.evidence import Evidence
from hookwright_documentation.index.ranking import PRESETS
from hookwright_documentation.pages import Passage
from hookwright_retrieval.bm25 import Postings
from hookwright_retrieval.second_look import TokenLists

DIMENSIONS, VOCABULARY = 256, 32_000  # of WordLlama
VERSION = 1  # raise it when the files or the terms change
HEAD = "index.json"
POSTINGS = {"bounds": "<i8", "documents": "<i4", "counts": "<u2", "lengths": "<f4"}
TYPES = {
    "words_terms": "u1",
    **{f"words_{part}": kind for part, kind in POSTINGS.items()},
    **{f"pages_{part}": kind for part, kind in POSTINGS.items()},
    "links_terms": "u1",
    **{f"links_{part}": kind for part, kind in POSTINGS.items()},
    "popularity": "<f4",
    "page_numbers": "<i4",
    "changes": "u1",
    "vectors": "i1",
    "token_lists": "<u2",
    "token_bounds": "<i8",
    "texts": "u1",
    "text_bounds": "<i8",
}
Array = npt.NDArray[Any]
Arrays = dict[str, Array]


class DamagedIndexError(Exception):
    """The files are not those of an index, or are damaged."""


class OtherVersionError(Exception):
    """The files were written by another version."""


@dataclass(frozen=True)
class StoredIndex:
    """An index that was read: the preset, the evidence, and the passages as JSON."""

    preset: str
    evidence: Evidence
    texts: npt.NDArray[np.uint8]
    text_bounds: npt.NDArray[np.int64]

    def read_passage(self, number: int) -> tuple[str, str, tuple[str, ...], str]:
        """Return the URL, anchor, headings and text of a passage; raises DamagedIndexError."""
        start, end = self.text_bounds[number : number + 2].tolist()
        try:
            url, anchor, headings, text = json.loads(self.texts[start:end].tobytes())
            sound = all(isinstance(each, str) for each in (url, anchor, text, *headings))
        except (ValueError, TypeError, RecursionError):
            sound = False
        if not sound:
            raise DamagedIndexError
        return url, anchor, tuple(headings), text


def write_index(passages: Sequence[Passage], evidence: Evidence, preset: str, folder: Path) -> None:
    """Write an index into a folder, its head last; raises OSError.

    What the preset gives no weight is left out.
    """
    texts = [
        json.dumps(
            [each.url, each.anchor, each.headings, each.text],
            ensure_ascii=False,
            separators=(",", ":"),
        ).encode("utf-8", "replace")
        for each in passages
    ]
    arrays: Arrays = {
        **store_terms("words", evidence.words),
        **store_postings("words", evidence.words),
        **store_postings("pages", evidence.pages),
        **store_terms("links", evidence.links),
        **store_postings("links", evidence.links),
        "popularity": evidence.popularity,
        "page_numbers": evidence.page_numbers,
        "changes": evidence.changes,
        "vectors": evidence.vectors if PRESETS[preset].similarity else evidence.vectors[:0],
        "token_lists": evidence.tokens.tokens,
        "token_bounds": evidence.tokens.bounds,
        "texts": to_bytes(b"".join(texts)),
        "text_bounds": np.cumsum([0, *map(len, texts)]),
    }
    for name, array in arrays.items():
        with replacing(folder / f"{name}.bin", "wb") as file:
            file.write(np.ascontiguousarray(array, TYPES[name]))
    head = {
        "version": VERSION,
        "preset": preset,
        "passages": len(passages),
        "sizes": {name: array.size for name, array in arrays.items()},
    }
    with replacing(folder / HEAD) as file:
        json.dump(head, file)


def store_terms(name: str, postings: Postings) -> Arrays:
    return {f"{name}_terms": to_bytes("\n".join(postings.rows).encode())}


def to_bytes(content: bytes) -> Array:
    """Return bytes as an array, which may be empty."""
    return np.frombuffer(bytearray(content), np.uint8)


def store_postings(name: str, postings: Postings) -> Arrays:
    return {f"{name}_{part}": getattr(postings, part) for part in POSTINGS}


def read_index(folder: Path) -> StoredIndex:
    """Return the index of a folder.

    Raises:
        DamagedIndexError: A file is missing, damaged or not of an index.
        OtherVersionError: Another version wrote it.

    """
    try:
        head = json.loads(read_regular(folder / HEAD))
        version, preset, number = head["version"], head["preset"], head["passages"]
        if version != VERSION:
            raise OtherVersionError
        if preset not in PRESETS or type(number) is not int:
            raise DamagedIndexError
        arrays = {name: map_array(folder / f"{name}.bin", kind) for name, kind in TYPES.items()}
        if head["sizes"] != {name: array.size for name, array in arrays.items()}:
            raise DamagedIndexError
        return restore(arrays, preset, number)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise DamagedIndexError from None


def map_array(path: Path, kind: str) -> Array:
    """Return an array whose file is mapped into memory; it has one dimension."""
    with open_regular(path) as file:
        if not os.fstat(file.fileno()).st_size:  # which cannot be mapped
            return np.zeros(0, kind)
        return np.memmap(file, kind, "r").view(np.ndarray)


def restore(arrays: Arrays, preset: str, number: int) -> StoredIndex:
    """Return the index that arrays hold; raises DamagedIndexError unless they fit together."""
    page_numbers, tokens = arrays["page_numbers"], arrays["token_lists"]
    words = restore_postings("words", arrays, read_terms(arrays["words_terms"]))
    pages = restore_postings("pages", arrays, words.rows)
    links = restore_postings("links", arrays, read_terms(arrays["links_terms"]))
    rows = [len(words), len(links), *(len(arrays[n]) for n in ("popularity", "changes"))]
    embedded = number if PRESETS[preset].similarity else 0
    fits = [
        {*rows, page_numbers.shape[0]} == {number},
        arrays["vectors"].size == embedded * DIMENSIONS,
        lies_within(page_numbers, len(pages)),
        tokens.max(initial=0) < VOCABULARY,
        bool(np.isfinite(arrays["popularity"]).all()),
        is_sound(arrays["token_bounds"], number, len(tokens)),
        is_sound(arrays["text_bounds"], number, len(arrays["texts"])),
    ]
    if not all(fits):
        raise DamagedIndexError
    evidence = Evidence(
        words,
        pages,
        links,
        arrays["popularity"],
        page_numbers,
        arrays["changes"],
        arrays["vectors"].reshape(-1, DIMENSIONS),
        TokenLists(tokens, arrays["token_bounds"]),
    )
    return StoredIndex(preset, evidence, arrays["texts"], arrays["text_bounds"])


def read_terms(array: Array) -> dict[str, int]:
    lines = array.tobytes().decode()
    return {term: row for row, term in enumerate(lines.split("\n"))} if lines else {}


def restore_postings(name: str, arrays: Arrays, rows: Mapping[str, int]) -> Postings:
    """Return the postings of these terms; raises DamagedIndexError unless they fit together."""
    bounds, documents, counts, lengths = (arrays[f"{name}_{part}"] for part in POSTINGS)
    fits = [
        is_sound(bounds, len(rows), len(documents)),
        documents.shape == counts.shape,
        lies_within(documents, len(lengths)),
        bool((np.isfinite(lengths) & (lengths >= 0)).all()),
    ]
    if not all(fits):
        raise DamagedIndexError
    return Postings(rows, bounds, documents, counts, lengths)


def is_sound(bounds: Array, rows: int, end: int) -> bool:
    if bounds.shape != (rows + 1,) or bounds[0] != 0 or bounds[-1] != end:
        return False
    return bool((np.diff(bounds) >= 0).all())


def lies_within(numbers: Array, size: int) -> bool:
    """Return whether numbers are at least 0 and below a size."""
    return not len(numbers) or bool(numbers.min() >= 0 and numbers.max() < size)
