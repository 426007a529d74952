"""Show what the hooks blocked."""

from datetime import date, datetime
from typing import Annotated, Any, TextIO

import typer

from hookwright.block_log import (
    RECORDING,
    Count,
    can_block,
    count_all,
    count_blocks,
    draw_sparkline,
    list_known,
    open_all,
    read_blocks,
    records_blocks,
    sum_columns,
)
from hookwright.cli.apply import apply
from hookwright.cli.current_project import open_shown, open_to_change
from hookwright.cli.options import HERE, ChangeOptions, Every, InProject, take_change_options
from hookwright.cli.terminal import say
from hookwright.project.change import plan_change
from hookwright.project.installer import find_memories
from hookwright.project.reader import Project
from hookwright_console.terminal import count, draw_bar, dump, print_line, print_table
from hookwright_console.text import escape_hidden


@take_change_options
def stats(
    *,
    project: InProject = HERE,
    days: Annotated[int, typer.Option(min=1, max=3650, help="How many days to count.")] = 30,
    every: Every = False,
    record: Annotated[
        bool | None,
        typer.Option(
            "--record/--no-record", help="Switch recording on or off.", show_default=False
        ),
    ] = None,
    options: ChangeOptions,
) -> int:
    """Count what each record blocked."""
    if record is not None:
        changed = plan_change(open_to_change(project, yes=options.yes), {RECORDING: record})
        message = f"Switch the record of blocks {'on' if record else 'off'}"
        return apply(changed, message, options, default=True)
    shown = [] if every else open_shown(project)
    if len(shown) != 1:
        return stats_of_all(days, options.report)
    (opened,) = shown
    blocks = read_blocks(find_memories())
    today = datetime.now().astimezone().date()
    counts = count_blocks(blocks, list_known(opened), today, days)
    if options.report:
        print(dump(export(counts, today, days), indent=2), file=options.report)
        return 0
    if is_counted(counts, [opened]):
        show_counts(counts, days)
        others = [one.name for one in open_all() if one.name != opened.name and records_blocks(one)]
        if blocks and others:
            print_line(f"counted together with the other installed projects: {', '.join(others)}")
        if never := [one.record for one in counts if not one.blocks]:
            print_line(f"never: {', '.join(never)}")
    explain_silence([opened])
    return 0


def is_counted(counts: list[Count], projects: list[Project]) -> bool:
    """Return whether there is something to show, or something would be if calls were blocked."""
    return any(one.blocks for one in counts) or not projects or any(map(records_blocks, projects))


def explain_silence(projects: list[Project]) -> None:
    blocking = [one for one in projects if can_block(one)]
    if projects and not blocking:
        names = ", ".join(one.name for one in projects)
        say(f"{names} blocks nothing: it only adds lessons to prompts")
    if off := ", ".join(one.name for one in blocking if not records_blocks(one)):
        say(f"nothing is recorded of {off}: run hookwright stats --record")


def stats_of_all(days: int, file: TextIO | None) -> int:
    report = count_all(days)
    if file:
        projects = [
            {"project": one.name, "records_blocks": records_blocks(one)} for one in report.projects
        ]
        row = export(report.counts, report.until, days) | {"projects": projects}
        print(dump(row, indent=2), file=file)
        return 0
    if is_counted(report.counts, report.projects):
        show_counts(report.counts, days)
    explain_silence(report.projects)
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
    print_table(("record", "hook", "blocks", "share", "last", "day by day"), rows)
    print()
    print_line(f"{count(total, 'block')} in {count(days, 'day')}")
