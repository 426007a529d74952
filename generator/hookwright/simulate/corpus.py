"""Count how often each record of a project fires on a set of calls, with samples."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.project.reader import Project
from hookwright.simulate.ambiguous_searches import ClosestSearches, read_ambiguous
from hookwright.simulate.batch import Outcome
from hookwright.simulate.calls import Call

MAX_TEXT = 60  # characters of a route's match
SAMPLE = 400  # characters per call
DOES = {"block": "deny", "warn": "warn", "allow": "allow"}  # effect, by a route's action


@dataclass
class Tally:
    """How often a record fired."""

    record: str
    kind: str  # database or route
    does: str  # deny, warn or allow
    fired: int = 0  # calls that it decided, alone or with other records
    on: Counter[str] = field(default_factory=Counter)  # counts by matching keyword or text
    samples: list[str] = field(default_factory=list)  # without duplicates
    vetoed: int = 0  # calls that contain one of its keywords but were ruled out

    def add(self, call: Call, on: str, most: int) -> None:
        self.fired += 1
        self.on[on[:MAX_TEXT]] += 1
        text = call.text[:SAMPLE]
        if len(self.samples) < most and text not in self.samples:
            self.samples.append(text)


@dataclass
class Survey:
    """The effect of a project's hooks on a set of calls."""

    likeliest_false: ClosestSearches  # denied, but closest to passing
    likeliest_missed: ClosestSearches  # allowed, but closest to being denied
    tools: Counter[str] = field(default_factory=Counter)
    does: Counter[str] = field(default_factory=Counter)
    # by kind, and number or name
    tallies: dict[tuple[str, int | str], Tally] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)  # first denied and first allowed text

    @property
    def calls(self) -> int:
        return self.tools.total()

    @property
    def fired(self) -> list[Tally]:
        """The records that fired, most frequent first."""
        fired = [tally for tally in self.tallies.values() if tally.fired]
        return sorted(fired, key=lambda tally: -tally.fired)

    @property
    def never(self) -> list[str]:
        return [tally.record for tally in self.tallies.values() if not tally.fired]

    def find(self, kind: str, key: int | str, does: str) -> Tally:
        """Return a record's tally, creating one for a record missing from the answers."""
        name = f"databases[{key}]" if isinstance(key, int) else key
        return self.tallies.setdefault((kind, key), Tally(name, kind, does))

    def export(self) -> dict[str, Any]:
        return {
            "calls": self.calls,
            "tools": dict(self.tools.most_common()),
            "does": {does: self.does[does] for does in ("deny", "warn", "allow")},
            "records": [
                {
                    "record": tally.record,
                    "kind": tally.kind,
                    "does": tally.does,
                    "fired": tally.fired,
                    "share": round(tally.fired / self.calls, 6),
                    "vetoed": tally.vetoed,
                    "on": dict(tally.on.most_common()),
                    "samples": tally.samples,
                }
                for tally in sorted(self.tallies.values(), key=lambda tally: -tally.fired)
            ],
            "errors": dict(self.errors),
            "likeliest_false": self.export_closest(self.likeliest_false),
            "likeliest_missed": self.export_closest(self.likeliest_missed),
        }

    def export_closest(self, closest: ClosestSearches) -> list[dict[str, Any]]:
        return [
            {
                "query": search.text,
                "database": self.find("database", search.number, "deny").record,
                "keyword": search.keyword,
                **search.evidence.export(),
            }
            for search in closest.searches
        ]


def survey(project: Project, decided: Iterable[tuple[Call, list[Outcome]]], samples: int) -> Survey:
    """Count the decisions of a project's hooks on calls, and keep samples for each record."""
    made = Survey(ClosestSearches(samples), ClosestSearches(samples))
    for number, database in enumerate(project.rendered_databases):
        made.find("database", number, "deny").record = name_database(database)
    for name, route in project.rendered_routes.items():
        made.find("route", name, DOES.get(str(route.get("action", "block")), "deny"))
    for call, outcomes in decided:
        made.tools[call.tool] += 1
        does = {outcome.does for outcome in outcomes}
        made.first.setdefault("deny" if "deny" in does else "allow", call.text[:SAMPLE])
        made.does[next((effect for effect in ("deny", "warn") if effect in does), "allow")] += 1
        if search := read_ambiguous(call, outcomes):
            (made.likeliest_false if search.denied else made.likeliest_missed).add(search)
        for outcome in outcomes:
            for tally, on in find_fired(made, outcome):
                tally.add(call, on, samples)
            for veto in outcome.vetoed:
                made.find("database", veto.number, "deny").vetoed += 1
            if outcome.error:
                made.errors[f"{outcome.hook}: {outcome.error[:SAMPLE]}"] += 1
    return made


def find_fired(made: Survey, outcome: Outcome) -> Iterator[tuple[Tally, str]]:
    if outcome.does == "deny":
        for match in outcome.matched:
            yield made.find("database", match.number, "deny"), match.keyword
    for tried in outcome.tried:
        if tried.outcome == "matches":
            yield made.find("route", tried.route, DOES.get(tried.action, "deny")), tried.text


def count_words(words: Mapping[str, int], most: int) -> list[str]:
    return [f"{word} {number:,}" for word, number in Counter(words).most_common(most)]
