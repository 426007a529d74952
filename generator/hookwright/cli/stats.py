"""Show the calls that hooks blocked."""

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
from hookwright.cli.terminal import print_note
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
    """Count the calls that each record blocked."""
    if record is not None:
        changed = plan_change(open_to_change(project, yes=options.yes), {RECORDING: record})
        message = f"Turn recording of blocked calls {'on' if record else 'off'}"
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
    show_counts(counts, days)
    others = [
        project.name
        for project in open_all()
        if project.name != opened.name and records_blocks(project)
    ]
    if blocks and others:
        print_line(f"counted together with the other installed projects: {', '.join(others)}")
    never = [tally.record for tally in counts if not tally.blocks]
    if 0 < len(never) < len(counts):
        print_line(f"never: {', '.join(never)}")
    explain_silence([opened])
    return 0


def explain_silence(projects: list[Project]) -> None:
    blocking = [project for project in projects if can_block(project)]
    if projects and not blocking:
        names = ", ".join(project.name for project in projects)
        print_note(f"{names} blocks nothing: it only adds lessons to prompts")
    if off := ", ".join(project.name for project in blocking if not records_blocks(project)):
        print_note(f"nothing is recorded for {off}: run hookwright stats --record")


def stats_of_all(days: int, file: TextIO | None) -> int:
    report = count_all(days)
    if file:
        projects = [
            {"project": project.name, "records_blocks": records_blocks(project)}
            for project in report.projects
        ]
        row = export(report.counts, report.until, days) | {"projects": projects}
        print(dump(row, indent=2), file=file)
        return 0
    show_counts(report.counts, days)
    explain_silence(report.projects)
    return 0


def export(counts: list[Count], today: date, days: int) -> dict[str, Any]:
    rows = [
        {
            "hook": tally.hook,
            "record": tally.record,
            "blocks": tally.blocks,
            "last": tally.last.isoformat() if tally.last else None,
            "per_day": tally.days,
        }
        for tally in counts
    ]
    return {"until": today.isoformat(), "days": days, "records": rows}


def show_counts(counts: list[Count], days: int) -> None:
    fired = [tally for tally in counts if tally.blocks]
    total = sum(tally.blocks for tally in fired)
    most = max((max(sum_columns(tally.days)) for tally in fired), default=0)
    rows = [
        (
            escape_hidden(tally.record),
            tally.hook,
            f"{tally.blocks:,}",
            draw_bar(tally.blocks / total),
            f"{tally.last:%Y-%m-%d %H:%M}" if tally.last else "",
            draw_sparkline(tally.days, most),
        )
        for tally in fired
    ]
    print_table(("record", "hook", "blocks", "share", "last", "day by day"), rows)
    print()
    print_line(f"{count(total, 'block')} in {count(days, 'day')}")
