"""Count how often each record of a project fires on many calls, and show samples."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.cli.terminal import print_note
from hookwright.cli.try_one import ExpectedOutcome, explain_inability, export_ambiguous
from hookwright.clients.claude.configuration import find_config_folder
from hookwright.clients.claude.transcripts import find_transcripts
from hookwright.clients.dialects import Dialect
from hookwright.discovery.ambiguous_keywords import find_ambiguous
from hookwright.project.reader import Project
from hookwright.simulate.ambiguous_searches import ClosestSearches, read_ambiguous
from hookwright.simulate.batch import Outcome, decide
from hookwright.simulate.calls import TEXTS, Call, read_corpus
from hookwright.simulate.run import find_handlers
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import (
    count,
    draw_bar,
    dump,
    excerpt,
    print_line,
    print_table,
    show_progress,
)
from hookwright_console.text import escape_hidden

WORDS = 4  # keywords per record in the table
SAMPLE = 140  # characters
DOES = {"deny": "denied", "warn": "warned about", "allow": "let through"}
MAX_TEXT = 60  # characters of the text that a route matched
MAX_SAMPLE = 400  # characters per call
EFFECTS = {"block": "deny", "warn": "warn", "allow": "allow"}  # effect, by a route's action


@dataclass
class Tally:
    """How often a record fired."""

    record: str
    kind: str  # database or route
    does: str  # deny, warn or allow
    fired: int = 0  # calls that the record decided, alone or with others
    on: Counter[str] = field(default_factory=Counter)  # counts by matching keyword or text
    samples: list[str] = field(default_factory=list)  # without duplicates
    vetoed: int = 0  # calls that were ruled out despite containing one of its keywords

    def add(self, call: Call, on: str, most: int) -> None:
        self.fired += 1
        self.on[on[:MAX_TEXT]] += 1
        text = call.text[:MAX_SAMPLE]
        if len(self.samples) < most and text not in self.samples:
            self.samples.append(text)


@dataclass
class Survey:
    """The effect of a project's hooks on a set of calls."""

    likeliest_false: ClosestSearches  # denied, but closest to passing
    likeliest_missed: ClosestSearches  # allowed, but closest to being denied
    tools: Counter[str] = field(default_factory=Counter)
    does: Counter[str] = field(default_factory=Counter)
    # The key is the kind, and a number or name.
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
        """Return a record's tally; create one for a record that is missing from the answers."""
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
    """Count a project's decisions on calls, and keep samples for each record."""
    made = Survey(ClosestSearches(samples), ClosestSearches(samples))
    for number, database in enumerate(project.rendered_databases):
        made.find("database", number, "deny").record = name_database(database)
    for name, route in project.rendered_routes.items():
        made.find("route", name, EFFECTS.get(str(route.get("action", "block")), "deny"))
    for call, outcomes in decided:
        made.tools[call.tool] += 1
        does = {outcome.does for outcome in outcomes}
        made.first.setdefault("deny" if "deny" in does else "allow", call.text[:MAX_SAMPLE])
        made.does[next((effect for effect in ("deny", "warn") if effect in does), "allow")] += 1
        if search := read_ambiguous(call, outcomes):
            (made.likeliest_false if search.denied else made.likeliest_missed).add(search)
        for outcome in outcomes:
            for tally, on in find_fired(made, outcome):
                tally.add(call, on, samples)
            for veto in outcome.vetoed:
                made.find("database", veto.number, "deny").vetoed += 1
            if outcome.error:
                made.errors[f"{outcome.hook}: {outcome.error[:MAX_SAMPLE]}"] += 1
    return made


def find_fired(made: Survey, outcome: Outcome) -> Iterator[tuple[Tally, str]]:
    if outcome.does == "deny":
        for match in outcome.matched:
            yield made.find("database", match.number, "deny"), match.keyword
    for tried in outcome.tried:
        if tried.outcome == "matches":
            yield made.find("route", tried.route, EFFECTS.get(tried.action, "deny")), tried.text


def count_words(words: Mapping[str, int], most: int) -> list[str]:
    return [f"{word} {number:,}" for word, number in Counter(words).most_common(most)]


def show_survey(
    projects: Sequence[Project],
    path: Path | None,
    samples: int,
    expected: ExpectedOutcome | None = None,
    *,
    dialect: Dialect,
    as_json: bool,
) -> int:
    """Show projects' decisions on the calls in a file or in transcripts; return the exit code.

    If `expected` is "allow", every project must allow all calls; if it is "deny", at least one
    project must deny all calls.
    """
    several = len(projects) > 1
    codes, rows = [], []
    for project in projects:
        made = read_survey(project, path, samples, dialect)
        ambiguous = find_ambiguous(project.rendered_databases)
        own = {"project": project.name} if several else {}
        exported = {"client": dialect.name, **made.export()}
        rows.append({**own, **exported, "ambiguous": export_ambiguous(ambiguous)})
        if not as_json:
            if several:
                print_line(f"{project.name}:")
            show_totals(made, dialect)
            show_records(made)
            show_closest(made)
            for keyword in ambiguous:
                print_line(keyword.advice)
        codes.append(check_expected(expected, made))
    if as_json:
        print(dump({"projects": rows} if several else rows[0], indent=2))
    return min(codes) if expected is ExpectedOutcome.DENY else max(codes)


def read_survey(project: Project, path: Path | None, samples: int, dialect: Dialect) -> Survey:
    handlers = find_handlers(project, dialect.call, dialect.name)

    def wanted(tool: str) -> bool:
        return tool in TEXTS or any(handler.covers(tool) for handler in handlers)

    with reading(path, wanted) as calls:
        made = survey(project, decide(handlers, calls), samples)
    if not made.calls:
        where = f"{path} holds" if path else "the transcripts hold"
        way_out = "" if path else "set CLAUDE_CONFIG_DIR to the client's folder, or "
        raise RefusedError(
            f"{where} no calls: {way_out}name a file with a query or a URL on each line"
        )
    return made


@contextmanager
def reading(path: Path | None, wanted: Callable[[str], bool]) -> Iterator[Iterator[Call]]:
    """Yield the calls in a file, or the calls of wanted tools in past sessions."""
    if path:
        yield read_corpus(path)
        return
    past = find_transcripts(find_config_folder())
    with show_progress("reading transcripts (MB)") as update:
        yield starmap(Call, past.read_calls(wanted, update))
    if past.unread:
        print_note(f"{count(past.unread, 'transcript')} could not be read to the end")


def check_expected(expected: ExpectedOutcome | None, made: Survey) -> int:
    denied = made.does["deny"]
    wrong = made.calls - denied if expected is ExpectedOutcome.DENY else denied
    if expected is None or not wrong:
        return 0
    does = "are allowed" if expected is ExpectedOutcome.DENY else "are denied"
    of = f"{wrong:,} of {count(made.calls, 'call')}"
    first = made.first["allow" if expected is ExpectedOutcome.DENY else "deny"]
    print_note(f"expected {expected.value}, but {of} {does}, the first is {excerpt(first, SAMPLE)}")
    return 1


def show_totals(made: Survey, dialect: Dialect) -> None:
    tools = ", ".join(count_words(made.tools, len(made.tools)))
    print_line(f"{count(made.calls, 'call')}: {tools}")
    shares = [f"{made.does[does]:,} {word}" for does, word in DOES.items()]
    print_line(f"{', '.join(shares)}: {made.does['deny'] / made.calls:.1%} denied")
    for error, number in made.errors.most_common(WORDS):
        print_line(f"let through {number:,} times because of {error}")
    if unseen := [tool for tool in made.tools if not dialect.name_tool(tool)]:
        number = sum(made.tools[tool] for tool in unseen)
        print_line(f"{number:,} of them: {explain_inability(unseen[0], dialect)}")


def show_closest(made: Survey) -> None:
    lists = {
        "most likely false, of those denied": made.likeliest_false.searches,
        "most likely missed, of those let through": made.likeliest_missed.searches,
    }
    for title, searches in lists.items():
        if searches:
            print_line(f"{title}:")
        for search in searches:
            name = made.find("database", search.number, "deny").record
            print_line(f"  {name}: {excerpt(search.text, SAMPLE)} (sum {search.evidence.sum})")
    if any(lists.values()):
        print_line("if one of them is wrong, run hookwright tune NAME")


def show_records(made: Survey) -> None:
    fired = made.fired
    if fired:
        rows = []
        for tally in fired:
            share = f"{tally.fired / made.calls:.1%}"
            bar = draw_bar(tally.fired / fired[0].fired)
            words = excerpt(", ".join(count_words(tally.on, WORDS)))
            row = (escape_hidden(tally.record), tally.does, f"{tally.fired:,}", share, bar, words)
            rows.append(row)
        print()
        print_table(("record", "does", "fired", "of all", "", "on"), rows, ("on",))
        print()
    for tally in fired:
        if tally.samples:
            print_line(f"{tally.record}:")
        for sample in tally.samples:
            print(f"  {excerpt(sample, SAMPLE)}")
    if vetoed := {tally.record: tally.vetoed for tally in made.tallies.values() if tally.vetoed}:
        print_line(f"ruled out: {', '.join(count_words(vetoed, len(vetoed)))}")
    if made.never:
        print_line(f"never fired: {', '.join(made.never)}")
