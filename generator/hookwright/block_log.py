"""Count the calls blocked by hooks, from the log that record_blocks enables."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

from hookwright.answers.schema import name_database
from hookwright.hooks.registry import DOCSEARCH, HOOKS, TOOL_ROUTING
from hookwright.project.installer import find_memories
from hookwright.project.reader import Project
from hookwright.project.status import open_projects
from hookwright_console.files.regular import read_start

RECORDING = "record_blocks"  # the question that enables the log
STAMP = "%Y-%m-%dT%H:%M:%SZ"
MAX_SIZE = 5_000_000  # bytes; hooks limit their own logs to a tenth of this size
FIELDS = 3


@dataclass(frozen=True)
class Block:
    """A blocked call: its time, and the hook and record that blocked it."""

    when: datetime
    hook: str
    record: str


@dataclass(frozen=True)
class Count:
    """How often a record blocked calls."""

    hook: str
    record: str
    days: tuple[int, ...]  # number of blocks on each day; the last is today
    last: datetime | None  # local time of the last block, or None

    @property
    def blocks(self) -> int:
        return sum(self.days)


def read_blocks(folders: Iterable[Path]) -> list[Block]:
    """Return the blocks logged in folders, one per client; skip invalid lines."""
    return [
        block
        for folder in folders
        for hook in HOOKS
        if RECORDING in hook.questions
        for name in (f"{hook.name}-blocks.tsv.old", f"{hook.name}-blocks.tsv")
        for block in parse_blocks(hook.name, folder / name)
    ]


def parse_blocks(hook: str, path: Path) -> Iterator[Block]:
    for line in read_start(path, MAX_SIZE).split("\n"):
        fields = line.split("\t")
        if len(fields) != FIELDS or not fields[1]:
            continue
        try:
            when = datetime.strptime(fields[0], STAMP).replace(tzinfo=timezone.utc).astimezone()
        except (ValueError, OverflowError, OSError):
            continue
        yield Block(when, hook, fields[1])


def count_blocks(
    blocks: Sequence[Block], known: Sequence[tuple[str, str]], today: date, days: int
) -> list[Count]:
    """Return how often each record blocked a call, most frequent first.

    `known` are the hooks and record names that are listed even if they never blocked a call.
    """
    first = today - timedelta(days=days - 1)
    found: dict[tuple[str, str], list[Block]] = {key: [] for key in known}
    for block in blocks:
        if first <= block.when.date() <= today:
            found.setdefault((block.hook, block.record), []).append(block)
    counts = []
    for (hook, record), own in found.items():
        per_day = [0] * days
        for block in own:
            per_day[(block.when.date() - first).days] += 1
        last = max((block.when for block in own), default=None)
        counts.append(Count(hook, record, tuple(per_day), last))
    return sorted(counts, key=lambda count: -count.blocks)


@dataclass(frozen=True)
class BlockReport:
    """The blocks of projects' hooks."""

    until: date  # today
    counts: list[Count]  # most frequent first
    projects: Sequence[Project]


def open_all() -> list[Project]:
    return [opened for _, opened in open_projects() if isinstance(opened, Project)]


def count_all(projects: Sequence[Project], days: int) -> BlockReport:
    today = datetime.now().astimezone().date()
    known = [record for project in projects for record in list_known(project)]
    counts = count_blocks(read_blocks(find_memories()), known, today, days)
    return BlockReport(today, counts, projects)


def can_block(project: Project) -> bool:
    return any(RECORDING in hook.questions and hook.name in project.hooks for hook in HOOKS)


def records_blocks(project: Project) -> bool:
    return project.answers.get(RECORDING) is True


def list_known(project: Project) -> list[tuple[str, str]]:
    """Return the hook and name of each record that can block a call."""
    known = [(DOCSEARCH.name, name_database(database)) for database in project.databases]
    return known + [
        (TOOL_ROUTING.name, name)
        for name, route in project.routes.items()
        if route.get("action", "block") == "block"
    ]
