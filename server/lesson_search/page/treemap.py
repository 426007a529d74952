"""Lay out categories as a treemap: rectangles whose areas are the numbers of lessons."""

from collections.abc import Mapping
from dataclasses import dataclass

import squarify

MAX_RECTANGLES = 40  # rectangles, of the largest categories; one of them is for all others


@dataclass(frozen=True)
class Tile:
    """A rectangle of a treemap."""

    category: str  # the path of the category, such as devops/ci-cd, or "" for several small ones
    count: int  # the number of its lessons; of several, the sum
    categories: int  # the number of categories that it stands for
    left: float  # its left edge, in the unit of the map; so are the others
    top: float
    width: float
    height: float

    @property
    def name(self) -> str:
        return self.category.rpartition("/")[2] or f"{self.categories} others"


def lay_out(counts: Mapping[str, int], below: str, width: float, height: float) -> list[Tile]:
    """Return the tiles of the categories directly below one, largest first; they fill the map.

    Args:
        counts: The number of lessons in or below each category.
        below: The path of a category, or "" for the broadest ones.
        width: The width of the map.
        height: Its height.

    """
    prefix = f"{below}/" if below else ""
    inner = [
        (count, path)
        for path, count in counts.items()
        if count and path.startswith(prefix) and "/" not in path.removeprefix(prefix)
    ]
    inner.sort(key=lambda one: (-one[0], one[1]))
    shown = MAX_RECTANGLES if len(inner) <= MAX_RECTANGLES else MAX_RECTANGLES - 1
    rows = [(count, path, 1) for count, path in inner[:shown]]
    if others := inner[shown:]:
        rows.append((sum(count for count, _ in others), "", len(others)))
        rows.sort(key=lambda row: -row[0])
    if not rows:
        return []
    sizes = squarify.normalize_sizes([count for count, _, _ in rows], width, height)
    rectangles = squarify.squarify(sizes, 0, 0, width, height)
    return [
        Tile(
            path, count, number, *(round(float(place[side]), 1) for side in ("x", "y", "dx", "dy"))
        )
        for (count, path, number), place in zip(rows, rectangles, strict=True)
    ]
