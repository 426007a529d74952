"""Searches decided by the words around an ambiguous keyword."""

from bisect import insort
from collections.abc import Iterable
from dataclasses import dataclass, field

from hookwright.simulate.batch import Evidence, KeywordMatch, Outcome, Veto
from hookwright.simulate.calls import Call


@dataclass(frozen=True)
class AmbiguousSearch:
    """A search whose result depends on an ambiguous keyword."""

    text: str  # the query
    number: int  # the number of the keyword's database
    keyword: str
    evidence: Evidence
    denied: bool

    @property
    def distance(self) -> int:
        """The number of points between the search and the opposite decision."""
        return abs(self.evidence.sum)


@dataclass
class ClosestSearches:
    """The searches closest to the opposite decision, without duplicates."""

    most: int  # maximum number of searches
    searches: list[AmbiguousSearch] = field(default_factory=list)  # closest first

    def add(self, search: AmbiguousSearch) -> None:
        kept = self.searches
        if len(kept) >= self.most and (not kept or search.distance >= kept[-1].distance):
            return
        if all(other.text != search.text for other in kept):
            insort(kept, search, key=lambda search: search.distance)
            del kept[self.most :]


def read_ambiguous(call: Call, outcomes: Iterable[Outcome]) -> AmbiguousSearch | None:
    """Return a call as an ambiguous search, or None if something else decides the call.

    If the call matches several databases, the one with the most points is used.
    """
    found: list[AmbiguousSearch] = []
    for outcome in outcomes:
        denied = outcome.does == "deny"
        for match in outcome.matched if denied else outcome.vetoed:
            if match.evidence:
                found.append(
                    AmbiguousSearch(call.text, match.number, match.keyword, match.evidence, denied)
                )
            elif denied:  # denied by a keyword that always counts
                return None
    return max(found, key=lambda search: search.evidence.sum, default=None)


def read_of_database(
    call: Call, outcomes: Iterable[Outcome], number: int
) -> AmbiguousSearch | None:
    """Return a call as a search decided by a database's ambiguous keyword, or None."""
    for outcome in outcomes:
        found: list[KeywordMatch | Veto] = [*outcome.matched, *outcome.vetoed]
        for match in found:
            if match.number == number and match.evidence:
                denied = isinstance(match, KeywordMatch)
                return AmbiguousSearch(call.text, number, match.keyword, match.evidence, denied)
    return None
