"""Build the index of a documentation."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hookwright_documentation.index.evidence import Progress, gather_evidence
from hookwright_documentation.index.index_files import write_index
from hookwright_documentation.index.links import resolve_links
from hookwright_documentation.index.self_test import choose_preset
from hookwright_documentation.pages import NamedTarget, Passage


@dataclass(frozen=True)
class IndexReport:
    """What an index was built of.

    Args:
        passages: The number of passages.
        preset: The preset that searches use.
        scores: The share of the documentation's own questions that each preset answers among its
            first five; empty if there are too few questions to tell.

    """

    passages: int
    preset: str
    scores: dict[str, float]


def build_index(
    passages: Sequence[Passage],
    inventory: Sequence[NamedTarget],
    folder: Path,
    progress: Progress | None = None,
) -> IndexReport:
    """Write the index of passages into an empty folder.

    Args:
        passages: The passages of all pages, page after page.
        inventory: The entries of the site's own index.
        folder: The folder, which exists. It can be opened once this returns.
        progress: Called with the number of passages done and in total.

    Raises:
        OSError: It cannot be written.

    """
    links = resolve_links(passages, inventory)
    evidence = gather_evidence(passages, links, progress)
    preset, scores = choose_preset(passages, links, evidence)
    write_index(passages, evidence, preset, folder)
    return IndexReport(len(passages), preset, scores)
