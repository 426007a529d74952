"""Count how often each record of a project fires on many calls, and show samples."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.cli.options import ExpectedOutcome
from hookwright.cli.terminal import print_note
from hookwright.clients.claude.settings import find_config_folder
from hookwright.clients.claude.transcripts import find_transcripts
from hookwright.clients.dialects import Dialect
from hookwright.discovery.ambiguous_keywords import find_ambiguous
from hookwright.project.reader import Project
from hookwright.simulate.ambiguous_searches import ClosestSearches, read_ambiguous
from hookwright.simulate.batch import TEXTS, Call, Outcome, decide, read_corpus
from hookwright.simulate.run import find_handlers
from hookwright.simulate.trial import explain_inability
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
    vetoed: int = 0  # calls that were ruled out despite containing one of its keywords
    on: Counter[str] = field(default_factory=Counter)  # counts by matching keyword or text
    samples: list[str] = field(default_factory=list)  # without duplicates

    def add(self, call: Call, on: str, most: int) -> None:
        self.fired += 1
        self.on[on[:MAX_TEXT]] += 1
        text = call.text[:MAX_SAMPLE]
        if len(self.samples) < most and text not in self.samples:
            self.samples.append(text)


class Survey:
    """The effect of a project's hooks on a set of calls."""

    def __init__(self, project: Project, samples: int) -> None:
        self.samples = samples  # per record
        self.likeliest_false = ClosestSearches(samples)  # denied, but closest to passing
        self.likeliest_missed = ClosestSearches(samples)  # allowed, but closest to being denied
        self.tools: Counter[str] = Counter()
        self.does: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.first: dict[str, str] = {}  # first denied and first allowed text
        self.tallies: dict[tuple[str, int | str], Tally] = {}  # by kind, and number or name
        for number, database in enumerate(project.rendered_databases):
            self.find("database", number).record = name_database(database)
        for name, route in project.rendered_routes.items():
            self.find("route", name, str(route.get("action", "block")))

    @property
    def calls(self) -> int:
        return self.tools.total()

    @property
    def records(self) -> list[Tally]:
        """The records, those that fired most often first."""
        return sorted(self.tallies.values(), key=lambda tally: -tally.fired)

    def find(self, kind: str, key: int | str, action: str = "block") -> Tally:
        """Return a record's tally; create one for a record that is missing from the answers."""
        name = f"databases[{key}]" if isinstance(key, int) else key
        does = EFFECTS.get(action, "deny")
        return self.tallies.setdefault((kind, key), Tally(name, kind, does))

    def add(self, call: Call, outcomes: Sequence[Outcome]) -> None:
        """Count the hooks' decisions on a call."""
        self.tools[call.tool] += 1
        does = {outcome.does for outcome in outcomes}
        self.first.setdefault("deny" if "deny" in does else "allow", call.text[:MAX_SAMPLE])
        self.does[next((effect for effect in ("deny", "warn") if effect in does), "allow")] += 1
        if search := read_ambiguous(call, outcomes):
            (self.likeliest_false if search.denied else self.likeliest_missed).add(search)
        for outcome in outcomes:
            for match in outcome.matched if outcome.does == "deny" else ():
                self.find("database", match.number).add(call, match.keyword, self.samples)
            for tried in outcome.tried:
                if tried.outcome == "matches":
                    tally = self.find("route", tried.route, tried.action)
                    tally.add(call, tried.text, self.samples)
            for veto in outcome.vetoed:
                self.find("database", veto.number).vetoed += 1
            if outcome.error:
                self.errors[f"{outcome.hook}: {outcome.error[:MAX_SAMPLE]}"] += 1

    def export(self) -> dict[str, Any]:
        records = [
            {
                **vars(tally),
                "share": round(tally.fired / self.calls, 6),
                "on": dict(tally.on.most_common()),
            }
            for tally in self.records
        ]
        return {
            "calls": self.calls,
            "tools": dict(self.tools.most_common()),
            "does": {does: self.does[does] for does in DOES},
            "records": records,
            "errors": dict(self.errors),
            "likeliest_false": self.export_closest(self.likeliest_false),
            "likeliest_missed": self.export_closest(self.likeliest_missed),
        }

    def export_closest(self, closest: ClosestSearches) -> list[dict[str, Any]]:
        return [
            {
                "query": search.text,
                "database": self.find("database", search.number).record,
                "keyword": search.keyword,
                **search.evidence.export(),
            }
            for search in closest.searches
        ]


def count_words(words: Mapping[str, int], most: int | None = None) -> str:
    return ", ".join(f"{word} {number:,}" for word, number in Counter(words).most_common(most))


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
        survey = read_survey(project, path, samples, dialect)
        ambiguous = find_ambiguous(project.rendered_databases)
        own = {"project": project.name} if several else {}
        exported = {"client": dialect.name, **survey.export()}
        rows.append({**own, **exported, "ambiguous": [keyword.export() for keyword in ambiguous]})
        if not as_json:
            if several:
                print_line(f"{project.name}:")
            print_survey(survey, dialect)
            print_line(*(keyword.advice for keyword in ambiguous))
        codes.append(check_expected(expected, survey))
    if as_json:
        print(dump({"projects": rows} if several else rows[0], indent=2))
    return min(codes) if expected is ExpectedOutcome.DENY else max(codes)


def read_survey(project: Project, path: Path | None, samples: int, dialect: Dialect) -> Survey:
    handlers = find_handlers(project, dialect.call, dialect.name)

    def wanted(tool: str) -> bool:
        return tool in TEXTS or any(handler.covers(tool) for handler in handlers)

    survey = Survey(project, samples)
    with reading(path, wanted) as calls:
        for decided in decide(handlers, calls):
            survey.add(*decided)
    if not survey.calls:
        where = f"{path} holds" if path else "the transcripts hold"
        way_out = "" if path else "set CLAUDE_CONFIG_DIR to the client's folder, or "
        raise RefusedError(
            f"{where} no calls: {way_out}name a file with a query or a URL on each line"
        )
    return survey


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


def check_expected(expected: ExpectedOutcome | None, survey: Survey) -> int:
    denied = survey.does["deny"]
    wrong = survey.calls - denied if expected is ExpectedOutcome.DENY else denied
    if expected is None or not wrong:
        return 0
    does = "are allowed" if expected is ExpectedOutcome.DENY else "are denied"
    of = f"{wrong:,} of {count(survey.calls, 'call')}"
    first = survey.first["allow" if expected is ExpectedOutcome.DENY else "deny"]
    print_note(f"expected {expected.value}, but {of} {does}, the first is {excerpt(first, SAMPLE)}")
    return 1


def print_survey(survey: Survey, dialect: Dialect) -> None:
    print_line(f"{count(survey.calls, 'call')}: {count_words(survey.tools)}")
    shares = [f"{survey.does[does]:,} {word}" for does, word in DOES.items()]
    print_line(f"{', '.join(shares)}: {survey.does['deny'] / survey.calls:.1%} denied")
    errors = survey.errors.most_common(WORDS)
    print_line(*(f"let through {number:,} times because of {error}" for error, number in errors))
    if unseen := [tool for tool in survey.tools if not dialect.name_tool(tool)]:
        number = sum(survey.tools[tool] for tool in unseen)
        print_line(f"{number:,} of them: {explain_inability(unseen[0], dialect)}")
    show_records(survey.records, survey.calls)
    show_closest(survey)


def show_records(records: Sequence[Tally], calls: int) -> None:
    fired = [tally for tally in records if tally.fired]
    if fired:
        rows = [
            (
                escape_hidden(tally.record),
                tally.does,
                f"{tally.fired:,}",
                f"{tally.fired / calls:.1%}",
                draw_bar(tally.fired / fired[0].fired),
                excerpt(count_words(tally.on, WORDS)),
            )
            for tally in fired
        ]
        print()
        print_table(("record", "does", "fired", "of all", "", "on"), rows, ("on",))
        print()
    for tally in fired:
        if tally.samples:
            print_line(f"{tally.record}:")
        for sample in tally.samples:
            print(f"  {excerpt(sample, SAMPLE)}")
    if vetoed := {tally.record: tally.vetoed for tally in records if tally.vetoed}:
        print_line(f"ruled out: {count_words(vetoed)}")
    if never := [tally.record for tally in records if not tally.fired]:
        print_line(f"never fired: {', '.join(never)}")


def show_closest(survey: Survey) -> None:
    lists = {
        "most likely false, of those denied": survey.likeliest_false.searches,
        "most likely missed, of those let through": survey.likeliest_missed.searches,
    }
    for title, searches in lists.items():
        if searches:
            print_line(f"{title}:")
        for search in searches:
            name = survey.find("database", search.number).record
            print_line(f"  {name}: {excerpt(search.text, SAMPLE)} (sum {search.evidence.sum})")
    if any(lists.values()):
        print_line("if one of them is wrong, run hookwright tune NAME")
