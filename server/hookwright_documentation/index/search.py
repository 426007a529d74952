"""Search the index of a documentation."""

from dataclasses import dataclass
from pathlib import Path

from hookwright_console.errors import ReportedError
from hookwright_console.text import shorten
from hookwright_documentation.index.index_files import (
    DamagedIndexError,
    OtherVersionError,
    StoredIndex,
    read_index,
)
from hookwright_documentation.index.ranking import PRESETS, PassageRanker


@dataclass(frozen=True)
class PassageHit:
    """A passage that answers a query.

    Args:
        url: The address of its page, without a fragment.
        anchor: The fragment that leads to it, or "".
        headings: The title of the page, and the headings down to the passage.
        text: The markdown, without the heading.
        score: Higher is better; comparable within one answer only.

    """

    url: str
    anchor: str
    headings: tuple[str, ...]
    text: str
    score: float

    @property
    def address(self) -> str:
        """Its own address, with the fragment if there is one."""
        return f"{self.url}#{self.anchor}" if self.anchor else self.url


class DocumentationIndex:
    """An open index, for any number of threads."""

    def __init__(self, stored: StoredIndex, name: str) -> None:
        """Prepare to search.

        Args:
            stored: The index that was read.
            name: The name of the database, for errors.

        """
        self._stored, self._name = stored, name
        self._ranker = PassageRanker(stored.evidence, PRESETS[stored.preset])

    def search(self, query: str, top_k: int = 5) -> list[PassageHit]:
        """Return the best passages for a query, one a page, the best first.

        Raises:
            ReportedError: The index is damaged.

        """
        ranked = self._ranker.rank(query, top_k)
        try:
            return [
                PassageHit(*self._stored.read_passage(number), score) for number, score in ranked
            ]
        except DamagedIndexError:
            raise explain_damage(self._name) from None

    def check_passages(self) -> None:
        """Check that each passage can be read; raises ReportedError."""
        try:
            for number in range(len(self._stored.text_bounds) - 1):
                self._stored.read_passage(number)
        except DamagedIndexError:
            raise explain_damage(self._name) from None


def open_index(folder: Path) -> DocumentationIndex:
    """Return the index in the folder of a database's generation.

    Raises:
        ReportedError: It is missing, damaged, or from another version.

    """
    name = shorten(folder.absolute().parents[1].name)
    try:
        return DocumentationIndex(read_index(folder), name)
    except DamagedIndexError:
        raise explain_damage(name) from None
    except OtherVersionError:
        raise ReportedError(
            f"{name}: another version of Hookwright made the index: run hookwright refresh {name}"
        ) from None


def explain_damage(name: str) -> ReportedError:
    """Return the error for a damaged index."""
    return ReportedError(f"{name}: the index is damaged: run hookwright refresh {name}")
