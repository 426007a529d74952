"""Show how often each record of a project fires on many calls, with samples."""

from collections.abc import Sequence
from itertools import starmap
from pathlib import Path

from hookwright.cli.terminal import print_note
from hookwright.cli.try_one import ExpectedOutcome, explain_inability, export_ambiguous
from hookwright.clients.claude.configuration import find_config_folder
from hookwright.clients.claude.transcripts import find_transcripts
from hookwright.clients.dialects import Dialect
from hookwright.discovery.ambiguous_keywords import find_ambiguous
from hookwright.project.reader import Project
from hookwright.simulate.batch import decide
from hookwright.simulate.calls import TEXTS, Call, read_corpus
from hookwright.simulate.corpus import Survey, count_words, survey
from hookwright.simulate.run import Handler, find_handlers
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


def show_survey(
    projects: Sequence[Project],
    path: Path | None,
    samples: int,
    expected: ExpectedOutcome | None = None,
    *,
    dialect: Dialect,
    as_json: bool,
) -> int:
    """Show projects' decisions on a file of calls or the transcripts; return the exit code.

    All calls are expected to be allowed by every project, or denied by at least one.
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
            show_made(made, dialect)
            for keyword in ambiguous:
                print_line(keyword.advice)
        codes.append(check_expected(expected, made))
    if as_json:
        print(dump({"projects": rows} if several else rows[0], indent=2))
    return min(codes) if expected is ExpectedOutcome.DENY else max(codes)


def read_survey(project: Project, path: Path | None, samples: int, dialect: Dialect) -> Survey:
    handlers = find_handlers(project, dialect.call, dialect.name)
    if path:
        made, unread = survey(project, decide(handlers, read_corpus(path)), samples), 0
    else:
        made, unread = read_past(project, handlers, samples)
    if unread:
        print_note(f"{count(unread, 'transcript')} could not be read to the end")
    if not made.calls:
        where = f"{path} holds" if path else "the transcripts hold"
        raise RefusedError(f"{where} no calls: name a file with a query or a URL on each line")
    return made


def show_made(made: Survey, dialect: Dialect) -> None:
    show_totals(made)
    show_inability(made, dialect)
    show_records(made)
    show_closest(made)


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


def read_past(project: Project, handlers: list[Handler], samples: int) -> tuple[Survey, int]:
    found = find_transcripts(find_config_folder())
    if not found.paths:
        raise RefusedError(
            f"{found.folder} has no transcripts: set CLAUDE_CONFIG_DIR to the client's "
            "folder, or name a file of queries"
        )

    def wanted(tool: str) -> bool:
        return tool in TEXTS or any(handler.covers(tool) for handler in handlers)

    with show_progress("reading transcripts (MB)") as update:
        calls = starmap(Call, found.read_calls(wanted, update))
        made = survey(project, decide(handlers, calls), samples)
    return made, found.unread


def show_totals(made: Survey) -> None:
    tools = ", ".join(count_words(made.tools, len(made.tools)))
    print_line(f"{count(made.calls, 'call')}: {tools}")
    shares = [f"{made.does[does]:,} {word}" for does, word in DOES.items()]
    print_line(f"{', '.join(shares)}: {made.does['deny'] / made.calls:.1%} denied")
    for error, number in made.errors.most_common(WORDS):
        print_line(f"let through {number:,} times because of {error}")


def show_inability(made: Survey, dialect: Dialect) -> None:
    unseen = sum(number for tool, number in made.tools.items() if not dialect.name_tool(tool))
    if unseen:
        tool = next(tool for tool in made.tools if not dialect.name_tool(tool))
        print_line(f"{unseen:,} of them: {explain_inability(tool, dialect)}")


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
