"""Searches that are denied or let through for the words beside an ambiguous keyword."""

from bisect import insort
from collections.abc import Iterable
from dataclasses import dataclass, field

from hookwright.simulate.batch import Evidence, KeywordMatch, Outcome, Veto
from hookwright.simulate.calls import Call


@dataclass(frozen=True)
class AmbiguousSearch:
    """A search that an ambiguous keyword decides about."""

    text: str  # the query
    number: int  # of the database whose keyword it is
    keyword: str
    evidence: Evidence
    denied: bool

    @property
    def distance(self) -> int:
        """How many points it is away from the other decision."""
        return abs(self.evidence.sum)


@dataclass
class ClosestSearches:
    """The searches that were closest to the other decision, without duplicates."""

    most: int  # that are kept
    searches: list[AmbiguousSearch] = field(default_factory=list)  # the closest first

    def add(self, search: AmbiguousSearch) -> None:
        kept = self.searches
        if len(kept) >= self.most and (not kept or search.distance >= kept[-1].distance):
            return
        if all(one.text != search.text for one in kept):
            insort(kept, search, key=lambda one: one.distance)
            del kept[self.most :]


def read_ambiguous(call: Call, outcomes: Iterable[Outcome]) -> AmbiguousSearch | None:
    """Return a call as an ambiguous search, or None if something else decides about it.

    Of several databases, it is the one with the most points.
    """
    found: list[AmbiguousSearch] = []
    for outcome in outcomes:
        denied = outcome.does == "deny"
        for one in outcome.matched if denied else outcome.vetoed:
            if one.evidence:
                found.append(
                    AmbiguousSearch(call.text, one.number, one.keyword, one.evidence, denied)
                )
            elif denied:  # by a keyword that always counts
                return None
    return max(found, key=lambda one: one.evidence.sum, default=None)


def read_of_database(
    call: Call, outcomes: Iterable[Outcome], number: int
) -> AmbiguousSearch | None:
    """Return a call as a search that a database's ambiguous keyword decides about, or None."""
    for outcome in outcomes:
        found: list[KeywordMatch | Veto] = [*outcome.matched, *outcome.vetoed]
        for one in found:
            if one.number == number and one.evidence:
                denied = isinstance(one, KeywordMatch)
                return AmbiguousSearch(call.text, number, one.keyword, one.evidence, denied)
    return None
