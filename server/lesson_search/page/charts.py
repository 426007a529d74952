"""Lay out the charts of the page: a bar for each day, and categories as a treemap."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import squarify

DAYS = 90  # at most, the latest
HEAD, FOOT = 18, 20  # room for text above and below the bars
GAP = 0.2  # the share of a day's width between two bars
MAX_RECTANGLES = 40  # rectangles, of the largest categories; one of them is for all others


@dataclass(frozen=True)
class Bar:
    """A bar of a chart."""

    name: str  # its day, such as 2026-11-22
    count: int  # what it stands for
    left: float  # its left edge, in the unit of the chart; so are the others
    top: float
    width: float
    height: float


def lay_out_bars(counts: Mapping[str, int], width: float, height: float) -> list[Bar]:
    """Return a bar for each day from the first to the last with a count, at most 90."""
    days = sorted(day for day in map(read_day, counts) if day)
    if not days:
        return []
    number_of_days = min((days[-1] - days[0]).days + 1, DAYS)
    shown = [days[-1] - timedelta(number) for number in reversed(range(number_of_days))]
    tallest = max(counts.get(day.isoformat(), 0) for day in shown) or 1
    step, room = width / max(len(shown), 10), height - HEAD - FOOT
    bars = []
    for number, day in enumerate(shown):
        count = counts.get(day.isoformat(), 0)
        tall = round(room * count / tallest, 1)
        left, top = round(number * step, 1), round(height - FOOT - tall, 1)
        bars.append(Bar(day.isoformat(), count, left, top, round(step * (1 - GAP), 1), tall))
    return bars


def read_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


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


def lay_out_tiles(counts: Mapping[str, int], below: str, width: float, height: float) -> list[Tile]:
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
