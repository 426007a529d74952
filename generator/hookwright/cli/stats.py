"""Show what the hooks blocked."""

from datetime import datetime
from typing import Annotated

import typer

from hookwright.block_log import (
    Count,
    count_blocks,
    draw_sparkline,
    list_known,
    read_blocks,
    sum_columns,
)
from hookwright.cli.options import HERE, AsJson, InProject
from hookwright.cli.terminal import say
from hookwright.clients.claude.configuration import find_config_folder
from hookwright.project.reader import Project, open_project
from hookwright_console.hidden_characters import escape_hidden
from hookwright_console.terminal import build_table, count, draw_bar, dump, open_console, print_line

OFF = (
    "record_blocks is off, so nothing is recorded: set it to true with hookwright edit, or with "
    "copier update --defaults --data record_blocks=true in the project"
)


def stats(
    *,
    project: InProject = HERE,
    days: Annotated[int, typer.Option(min=1, max=3650, help="How many days to count.")] = 30,
    as_json: AsJson = False,
) -> int:
    """Count what each record blocked."""
    opened = open_project(project)
    blocks = read_blocks(find_config_folder() / "hooks")
    if not records_blocks(opened) and not blocks:
        say(OFF)
        return 1
    today = datetime.now().astimezone().date()
    counts = count_blocks(blocks, list_known(opened), today, days)
    fired = [one for one in counts if one.blocks]
    never = [one for one in counts if not one.blocks]
    total = sum(one.blocks for one in fired)
    if as_json:
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
        print(dump({"until": today.isoformat(), "days": days, "records": rows}, indent=2))
        return 0
    if fired:
        show_counts(fired, total)
        print()
    print_line(f"{count(total, 'block')} in {count(days, 'day')}")
    if never:
        print_line(f"never: {', '.join(one.record for one in never)}")
    if not records_blocks(opened):
        say(OFF)
    return 0


def show_counts(counts: list[Count], total: int) -> None:
    """Print a table of how often records blocked calls."""
    table = build_table("record", "hook", "blocks", "share", "last", "day by day")
    most = max(max(sum_columns(one.days)) for one in counts)
    for one in counts:
        table.add_row(
            escape_hidden(one.record),
            one.hook,
            f"{one.blocks:,}",
            draw_bar(one.blocks / total),
            f"{one.last:%Y-%m-%d %H:%M}" if one.last else "",
            draw_sparkline(one.days, most),
        )
    open_console().print(table)


def records_blocks(project: Project) -> bool:
    """Return whether the hooks of a project record what they block."""
    return project.answers.get("record_blocks") is True
