"""The lesson server's views of the installed hooks, registered as entry points.

The views return JSON values, and run in a child process.
"""

from dataclasses import asdict
from datetime import date, timedelta
from typing import Any

from hookwright.answers.disabling import enable_expired
from hookwright.block_log import Count, count_all, open_all, records_blocks
from hookwright.hooks.registry import DOCSEARCH
from hookwright.project.status import open_installed, read_all
from hookwright.simulate.batch import Call, search_or_fetch
from hookwright.simulate.trial import try_installed
from hookwright_console.text import escape_hidden, make_printable

Row = dict[str, Any]


def count_activity(days: int) -> Row:
    """Return the calls that hooks redirected and blocked on each recent day."""
    report = count_all(open_all(), days)
    return {
        "first": (report.until - timedelta(days - 1)).isoformat(),
        "last": report.until.isoformat(),
        "activities": [describe_count(count, report.until) for count in report.counts],
        "unrecorded": [
            make_printable(project.name)
            for project in report.projects
            if not records_blocks(project)
        ],
        "projects": len(report.projects),
    }


def describe_count(count: Count, until: date) -> Row:
    first = until - timedelta(len(count.days) - 1)
    each = {(first + timedelta(day)).isoformat(): number for day, number in enumerate(count.days)}
    return {
        "kind": "redirects" if count.hook == DOCSEARCH.name else "blocks",
        "record": make_printable(count.record),
        "count": count.blocks,
        "last": count.last.isoformat() if count.last else "",
        "days": {day: number for day, number in each.items() if number},
    }


def list_projects() -> list[Row]:
    """Return the installed projects by name."""
    return [
        {
            "project": status.project,
            "folder": make_printable(status.folder or ""),
            "current": status.current,
            "error": make_printable(status.error),
            "hooks": [asdict(hook) for hook in status.hooks],
        }
        for status in read_all()
    ]


def list_records(project: str) -> list[Row]:
    """Return the databases and routes of an installed project."""
    opened = open_installed(project)
    found: Row = {"databases": opened.databases, "routes": opened.routes}
    found |= enable_expired(found)
    databases = [
        {
            "kind": "database",
            "name": escape_hidden(row.get("name") or row["description"]),
            "when": escape_hidden(", ".join(row["keywords"])),
            "told": escape_hidden(row["mcp_tool_name"]),
            "disabled": bool(row.get("disabled")),
        }
        for row in found["databases"]
    ]
    routes = [
        {
            "kind": "route",
            "name": escape_hidden(name),
            "when": escape_hidden(f"{row.get('tool', 'WebFetch')} {row.get('pattern', '')}"),
            "told": escape_hidden(
                f"{row.get('action', 'block')}: {row.get('message', '')}".strip(": \n")
            ),
            "disabled": bool(row.get("disabled")),
        }
        for name, row in found["routes"].items()
    ]
    return [*databases, *routes]


def try_call(project: str, query: str | None, command: str | None) -> Row:
    """Return the decisions of an installed project's hooks on a search, a URL or a command."""
    call = search_or_fetch(query) if query is not None else Call("Bash", {"command": command})
    tool, trials = try_installed(project, call)
    return {
        "tool": make_printable(tool),
        "hooks": [
            {
                "hook": trial.outcome.hook,
                "does": trial.does,
                "reason": escape_hidden(trial.decision.reason),
                "context": escape_hidden(trial.decision.context),
                "why": [make_printable(line) for line in trial.why],
            }
            for trial in trials
        ],
    }
