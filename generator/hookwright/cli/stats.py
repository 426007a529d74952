"""Show what the hooks blocked."""

from datetime import date, datetime
from typing import Annotated, Any

import typer

from hookwright.block_log import (
    RECORDING,
    Count,
    count_blocks,
    draw_sparkline,
    list_known,
    read_blocks,
    sum_columns,
)
from hookwright.cli.current_project import open_current
from hookwright.cli.options import HERE, AsJson, Every, InProject
from hookwright.cli.terminal import say
from hookwright.hooks.registry import HOOKS
from hookwright.project.installer import find_memories
from hookwright.project.reader import Project
from hookwright.project.status import list_projects, open_projects
from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.tables import print_table
from hookwright_console.terminal import count, draw_bar, dump, print_line

OFF = "record_blocks is off, so nothing is recorded: set it to true with hookwright edit"


def stats(
    *,
    project: InProject = HERE,
    days: Annotated[int, typer.Option(min=1, max=3650, help="How many days to count.")] = 30,
    every: Every = False,
    as_json: AsJson = False,
) -> int:
    """Count what each record blocked."""
    if every:
        return stats_of_all(days, as_json=as_json)
    opened = open_current(project)
    if not can_block(opened):
        say(f"{opened.name} blocks nothing: it only adds lessons to prompts")
        return 1
    blocks = read_blocks(find_memories())
    if not records_blocks(opened) and not blocks:
        say(OFF)
        return 1
    today = datetime.now().astimezone().date()
    counts = count_blocks(blocks, list_known(opened), today, days)
    fired = [one for one in counts if one.blocks]
    never = [one for one in counts if not one.blocks]
    total = sum(one.blocks for one in fired)
    if as_json:
        print(dump(export(counts, today, days), indent=2))
        return 0
    if fired:
        show_counts(fired, total)
        print()
    print_line(f"{count(total, 'block')} in {count(days, 'day')}")
    others = [one.project for one in list_projects() if one.project != opened.name]
    if blocks and others:
        print_line(f"counted together with the other installed projects: {', '.join(others)}")
    if never:
        print_line(f"never: {', '.join(one.record for one in never)}")
    if not records_blocks(opened):
        say(OFF)
    return 0


def stats_of_all(days: int, *, as_json: bool) -> int:
    """Print what the records of all installed projects blocked."""
    opened = [one for _, one in open_projects() if isinstance(one, Project)]
    today = datetime.now().astimezone().date()
    known = [record for project in opened for record in list_known(project)]
    blocks = read_blocks(find_memories())
    counts = count_blocks(blocks, known, today, days)
    if as_json:
        projects = [{"project": one.name, "records_blocks": records_blocks(one)} for one in opened]
        print(dump(export(counts, today, days) | {"projects": projects}, indent=2))
        return 0
    fired = [one for one in counts if one.blocks]
    if fired:
        show_counts(fired, sum(one.blocks for one in fired))
        print()
    print_line(f"{count(sum(one.blocks for one in fired), 'block')} in {count(days, 'day')}")
    off = ", ".join(one.name for one in opened if can_block(one) and not records_blocks(one))
    if off:
        say(f"record_blocks is off in {off}: set it to true with hookwright edit")
    return 0


def export(counts: list[Count], today: date, days: int) -> dict[str, Any]:
    """Return counts for scripts."""
    rows = [
        {
            "hook": one.hook,
            "record": one.record,
            "blocks": one.blocks,
            "last": one.last.isoformat() if one.last else None,
            "per_day": one.days,
        }
        for one in counts
    ]
    return {"until": today.isoformat(), "days": days, "records": rows}


def show_counts(counts: list[Count], total: int) -> None:
    """Print a table of how often records blocked calls."""
    most = max(max(sum_columns(one.days)) for one in counts)
    rows = [
        (
            escape_hidden(one.record),
            one.hook,
            f"{one.blocks:,}",
            draw_bar(one.blocks / total),
            f"{one.last:%Y-%m-%d %H:%M}" if one.last else "",
            draw_sparkline(one.days, most),
        )
        for one in counts
    ]
    print_table(("record", "hook", "blocks", "share", "last", "day by day"), rows)


def can_block(project: Project) -> bool:
    """Return whether a project has hooks that block calls."""
    return any(RECORDING in hook.questions and hook.name in project.hooks for hook in HOOKS)


def records_blocks(project: Project) -> bool:
    """Return whether the hooks of a project record what they block."""
    return project.answers.get("record_blocks") is True
