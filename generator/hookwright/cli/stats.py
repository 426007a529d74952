"""Show the calls that hooks blocked."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from hookwright.block_log import (
    RECORDING,
    BlockReport,
    Count,
    can_block,
    count_all,
    open_all,
    records_blocks,
)
from hookwright.cli.apply import apply
from hookwright.cli.current_project import ChangeOptions, open_shown, take_change_options
from hookwright.cli.options import Every
from hookwright.cli.terminal import print_note
from hookwright.project.change import plan_change
from hookwright_console.terminal import count, draw_bar, dump, print_line, print_table
from hookwright_console.text import escape_hidden


@take_change_options
def stats(
    *,
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
        changed = plan_change(options.open(), {RECORDING: record})
        message = f"Turn recording of blocked calls {'on' if record else 'off'}"
        return apply(changed, message, options, default=True)
    report = count_all(open_all() if every else open_shown(options.project), days)
    if options.report:
        print(dump(export_report(report, days), indent=2), file=options.report)
        return 0
    projects, counts = report.projects, report.counts
    blocked = [tally for tally in counts if tally.blocks]
    show_counts(blocked, days)
    names = [project.name for project in projects]
    recording = [project.name for project in open_all() if records_blocks(project)]
    if blocked and (others := [name for name in recording if name not in names]):
        print_line(f"counted together with the other installed projects: {', '.join(others)}")
    if blocked and (never := [tally.record for tally in counts if not tally.blocks]):
        print_line(f"never: {', '.join(never)}")
    blocking = [project for project in projects if can_block(project)]
    if projects and not blocking:
        print_note(f"{', '.join(names)} blocks nothing: it only adds lessons to prompts")
    for project in blocking:
        if not records_blocks(project):
            command = project.name_command("stats --record")
            print_note(f"nothing is recorded for {project.name}: run {command}")
    return 0


def export_report(report: BlockReport, days: int) -> dict[str, Any]:
    rows = [
        {
            "hook": tally.hook,
            "record": tally.record,
            "blocks": tally.blocks,
            "last": tally.last.isoformat() if tally.last else None,
            "per_day": tally.days,
        }
        for tally in report.counts
    ]
    projects = [
        {"project": project.name, "records_blocks": records_blocks(project)}
        for project in report.projects
    ]
    return {"until": report.until.isoformat(), "days": days, "records": rows, "projects": projects}


def show_counts(fired: Sequence[Count], days: int) -> None:
    total = sum(tally.blocks for tally in fired)
    rows = [
        (
            escape_hidden(tally.record),
            tally.hook,
            f"{tally.blocks:,}",
            draw_bar(tally.blocks / total),
            f"{tally.last:%Y-%m-%d %H:%M}" if tally.last else "",
        )
        for tally in fired
    ]
    if rows:
        print_table(("record", "hook", "blocks", "share", "last"), rows)
        print()
    print_line(f"{count(total, 'block')} in {count(days, 'day')}")
