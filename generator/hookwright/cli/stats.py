"""Show what the hooks blocked."""

from datetime import date, datetime
from typing import Annotated, Any

import typer

from hookwright.block_log import (
    Count,
    can_block,
    count_all,
    count_blocks,
    draw_sparkline,
    list_known,
    read_blocks,
    records_blocks,
    sum_columns,
)
from hookwright.cli.current_project import open_current
from hookwright.cli.options import HERE, AsJson, Every, InProject
from hookwright.cli.terminal import say
from hookwright.project.installer import find_memories
from hookwright.project.status import list_projects
from hookwright_console.terminal import count, draw_bar, dump, print_line, print_table
from hookwright_console.text import escape_hidden

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
    if as_json:
        print(dump(export(counts, today, days), indent=2))
        return 0
    show_counts(counts, days)
    others = [one.project for one in list_projects() if one.project != opened.name]
    if blocks and others:
        print_line(f"counted together with the other installed projects: {', '.join(others)}")
    if never := [one.record for one in counts if not one.blocks]:
        print_line(f"never: {', '.join(never)}")
    if not records_blocks(opened):
        say(OFF)
    return 0


def stats_of_all(days: int, *, as_json: bool) -> int:
    report = count_all(days)
    if as_json:
        projects = [
            {"project": one.name, "records_blocks": records_blocks(one)} for one in report.projects
        ]
        print(dump(export(report.counts, report.until, days) | {"projects": projects}, indent=2))
        return 0
    show_counts(report.counts, days)
    blocking = [one for one in report.projects if can_block(one)]
    if off := ", ".join(one.name for one in blocking if not records_blocks(one)):
        say(f"record_blocks is off in {off}: set it to true with hookwright edit")
    return 0


def export(counts: list[Count], today: date, days: int) -> dict[str, Any]:
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


def show_counts(counts: list[Count], days: int) -> None:
    fired = [one for one in counts if one.blocks]
    total = sum(one.blocks for one in fired)
    most = max((max(sum_columns(one.days)) for one in fired), default=0)
    rows = [
        (
            escape_hidden(one.record),
            one.hook,
            f"{one.blocks:,}",
            draw_bar(one.blocks / total),
            f"{one.last:%Y-%m-%d %H:%M}" if one.last else "",
            draw_sparkline(one.days, most),
        )
        for one in fired
    ]
    if rows:
        print_table(("record", "hook", "blocks", "share", "last", "day by day"), rows)
        print()
    print_line(f"{count(total, 'block')} in {count(days, 'day')}")
