"""Tune a database whose ambiguous keyword denies or allows the wrong searches."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from hookwright.answers.disabling import is_disabled
from hookwright.cli.apply import apply, end_unchanged
from hookwright.cli.current_project import ChangeOptions, RecordName, take_change_options
from hookwright.cli.terminal import print_note
from hookwright.cli.try_calls import TRANSCRIPTS
from hookwright.cli.try_corpus import SAMPLE, reading
from hookwright.clients.claude.tool_names import BEFORE_CALL
from hookwright.discovery.ambiguous_keywords import is_judged, list_weighed
from hookwright.hooks.registry import DOCSEARCH
from hookwright.project.change import check_committed, plan_change
from hookwright.project.reader import Project
from hookwright.project.record_changes import find_key, read_record, replace_record
from hookwright.simulate.ambiguous_searches import (
    TOOL,
    AmbiguousSearch,
    ClosestSearches,
    Effect,
    MarkedSearches,
    Remedy,
    list_remedies,
    read_of_database,
    try_remedies,
)
from hookwright.simulate.batch import Call, decide
from hookwright.simulate.run import Handler, find_handlers
from hookwright.wizard.dialogue import Dialogue, can_ask
from hookwright_console.errors import NoTerminalError, RefusedError
from hookwright_console.terminal import excerpt, print_line
from hookwright_console.text import shorten

QUESTIONS = {"false": "Which were denied by mistake?", "missed": "Which were missed?"}
TITLES = {"false": "most likely false, of those denied", "missed": "most likely missed"}


@dataclass(frozen=True)
class TunedDatabase:
    """The database being tuned."""

    project: Project
    name: str  # the user's name for it
    place: int  # its number in the answers
    number: int  # its number in the hook
    hooks: Sequence[Handler]  # hooks that look for its keywords

    def read(self, calls: Iterable[Call]) -> Iterator[tuple[Call, AmbiguousSearch | None]]:
        """Yield each call, and how the database's ambiguous keywords decide it."""
        for call, outcomes in decide(self.hooks, calls):
            yield call, read_of_database(call, outcomes, self.number)


@take_change_options
def tune(
    name: RecordName,
    corpus: Annotated[
        str,
        typer.Argument(metavar="FILE|transcripts", help="The searches to learn from."),
    ] = TRANSCRIPTS,
    *,
    false: Annotated[
        list[str] | None,
        typer.Option(
            "--false", metavar="QUERY", help="A search that was denied by mistake; repeat for more."
        ),
    ] = None,
    missed: Annotated[
        list[str] | None,
        typer.Option(metavar="QUERY", help="A search that should be denied; repeat for more."),
    ] = None,
    samples: Annotated[
        int, typer.Option(min=1, max=1000, help="How many searches of each kind to show.")
    ] = 10,
    options: ChangeOptions,
) -> int:
    """Correct which searches an ambiguous keyword denies."""
    if not corpus.strip():
        raise typer.BadParameter("FILE is empty: name a file of searches")
    tuned = find_database(options.open(name), name)
    check_committed(tuned.project)
    asked = {"false": [*dict.fromkeys(false or ())], "missed": [*dict.fromkeys(missed or ())]}
    searches = {
        text.text: text for kind, texts in asked.items() for text in read_marked(tuned, kind, texts)
    }
    path = None if corpus == TRANSCRIPTS else Path(corpus)
    searches = read_searches(tuned, path) | searches
    if not searches:
        where = path or "the transcripts"
        raise RefusedError(
            f"no search in {where} has an ambiguous keyword of {name}: name a file with a query "
            "on each line, or use --false QUERY or --missed QUERY"
        )
    chosen = asked if any(asked.values()) else ask_wrong(searches, samples)
    marks = MarkedSearches(searches, chosen["false"], chosen["missed"])
    message = f"Tune {name}"
    if not marks.false and not marks.missed:
        return end_unchanged(options, message)
    effects = try_remedies(tuned.project, tuned.place, list_remedies(marks), list(searches))
    report_unresolved(marks, effects, name)
    record = read_record(tuned.project, ("databases", tuned.place))
    for remedy in choose_remedies(effects, asks=options.asks):
        record = remedy.apply(record)
    answers = replace_record(tuned.project, ("databases", tuned.place), record)
    return apply(plan_change(tuned.project, answers), message, options)


def find_database(project: Project, name: str) -> TunedDatabase:
    question, place = find_key(project, name)
    if question != "databases":
        raise RefusedError(f"{name} is a route, which has no keywords: run hookwright edit {name}")
    record = project.databases[int(place)]
    if is_judged(record) and not record.get("ambiguous"):
        raise RefusedError(
            f"{name}: its index decides which searches are denied, so there is nothing to tune: "
            "see hookwright try 'QUERY'"
        )
    if not list_weighed(record):
        reason = "its words in with decide" if "with" in record else "no keyword is ambiguous"
        edit = f"run hookwright edit {shlex.quote(name)}"
        raise RefusedError(f"{name}: {reason}, so there is nothing to tune: {edit}")
    if is_disabled(record):
        raise RefusedError(f"{name} is disabled: run hookwright enable {name} first")
    hooks = [
        handler for handler in find_handlers(project, BEFORE_CALL) if handler.name == DOCSEARCH.name
    ]
    before = project.databases[: int(place)]
    number = sum(not is_disabled(record) for record in before)
    return TunedDatabase(project, name, int(place), number, hooks)


def read_marked(tuned: TunedDatabase, kind: str, texts: Sequence[str]) -> Iterator[AmbiguousSearch]:
    for call, search in tuned.read(Call(TOOL, {"query": text}) for text in texts):
        shown = f"--{kind} {shorten(call.text)!r}"
        if search is None:
            raise RefusedError(
                f"{shown}: no ambiguous keyword of {tuned.name} decides about it; see hookwright "
                f"try {shlex.quote(call.text)}"
            )
        if search.denied != (kind == "false"):
            does = "is denied" if search.denied else "goes through"
            raise RefusedError(f"{shown}: it {does} already: {search.evidence.describe()}")
        yield search


def read_searches(tuned: TunedDatabase, path: Path | None) -> dict[str, AmbiguousSearch]:
    """Return the searches decided by an ambiguous keyword, from a file or past sessions."""
    with reading(path, lambda tool: tool == TOOL) as calls:
        plain = (
            call for call in calls if call.tool == TOOL and not call.input.get("allowed_domains")
        )
        return {search.text: search for _, search in tuned.read(plain) if search}


def ask_wrong(searches: dict[str, AmbiguousSearch], samples: int) -> dict[str, list[str]]:
    closest = {"false": ClosestSearches(samples), "missed": ClosestSearches(samples)}
    for search in searches.values():
        closest["false" if search.denied else "missed"].add(search)
    listed = {
        kind: {
            search.text: f"{excerpt(search.text, SAMPLE)} (sum {search.evidence.sum})"
            for search in some.searches
        }
        for kind, some in closest.items()
    }
    if not can_ask():
        for kind, titles in listed.items():
            lines = [f"  {title}" for title in titles.values()]
            if lines:
                print_line(f"{TITLES[kind]}:", *lines)
        raise NoTerminalError("--false QUERY or --missed QUERY")
    dialogue = Dialogue()
    return dialogue.run(
        lambda: {
            kind: dialogue.ask_several(QUESTIONS[kind], titles, ())
            for kind, titles in listed.items()
        }
    )


def report_unresolved(marks: MarkedSearches, effects: dict[Remedy, Effect], name: str) -> None:
    resolved = {
        text for effect in effects.values() for text in (*effect.denied, *effect.let_through)
    }
    if not resolved:
        raise RefusedError(
            "nothing distinguishes these searches from the others: "
            f"run hookwright edit {shlex.quote(name)}"
        )
    for text in (*marks.false, *marks.missed):
        if text not in resolved:
            print_note(f"nothing distinguishes {excerpt(text, SAMPLE)!r} from the other searches")


def choose_remedies(effects: dict[Remedy, Effect], *, asks: bool) -> list[Remedy]:
    titles = {
        effect.describe(): f"{effect.describe()}  {effects[effect].describe()}"
        for effect in effects
    }
    # Turning off `ambiguous` is a default only if there is no other change.
    usual = [effect.describe() for effect in effects if effect.word] or list(titles)
    if not asks or not can_ask():
        for remedy, title in titles.items():
            print_line(title if remedy in usual else f"{title} (not applied)")
        chosen = usual
    else:
        chosen = Dialogue().ask_several("Which changes?", titles, usual)
    return [effect for effect in effects if effect.describe() in chosen]
