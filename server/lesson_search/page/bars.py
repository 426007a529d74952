"""Lay out a bar for each day."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

DAYS = 90  # at most, the latest
HEAD, FOOT = 18, 20  # room for text above and below the bars
GAP = 0.2  # the share of a day's width between two bars


@dataclass(frozen=True)
class Bar:
    """A bar of a chart."""

    name: str  # its day, such as 2026-11-22
    count: int  # what it stands for
    left: float  # its left edge, in the unit of the chart; so are the others
    top: float
    width: float
    height: float


def lay_out(counts: Mapping[str, int], width: float, height: float) -> list[Bar]:
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
