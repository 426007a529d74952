"""Check that documentation databases exist, are complete, and are recent."""

from collections.abc import Iterator
from pathlib import Path

from hookwright.doctor.finding import Finding, Setup
from hookwright.documentation.database_records import find_database, list_installed_records
from hookwright_console.errors import ReportedError
from hookwright_console.extras import needing
from hookwright_console.terminal import count
from hookwright_documentation.build import check_whole
from hookwright_documentation.databases import (
    count_days,
    list_names,
    list_unfinished,
    open_database,
)
from hookwright_documentation.recipes.recipe import recall_recipe

NAME = "documentation"
STALE = 90  # days


def check_documentation(setup: Setup) -> Iterator[Finding]:
    """Check the user's documentation databases, and those named in records."""
    used = dict.fromkeys(filter(None, map(find_database, setup.databases)))
    there, unfinished = list_names(), list_unfinished()
    for name in unfinished:
        command = setup.name_command(f"setup {name}")
        yield Finding.warn(NAME, f"{name} is not finished", f"run {command}")
    for name in used:
        if name not in there and name not in unfinished:
            build = setup.name_command(f"setup {name} SOURCE")
            remove = setup.name_command(f"remove {name}")
            yield Finding.fault(NAME, f"{name} is missing", f"run {build}, or {remove}")
    searched = {*used, *(find_database(record) for _, record in list_installed_records())}
    for name in there:
        yield check_database(name, is_used=name in searched)


def check_database(name: str, *, is_used: bool) -> Finding:
    try:
        database = open_database(name)
        with needing("docs"):
            check_whole(database)
    except ReportedError as error:
        return Finding(NAME, "fault", str(error) if name in str(error) else f"{name}: {error}")
    manifest = database.manifest
    days = count_days(manifest.crawled)
    if days is None or days > STALE:
        age = f"was crawled {count(days, 'day')} ago" if days else "has no date"
        return Finding.warn(NAME, f"{name} {age}", f"run hookwright refresh {name}")
    needed = recall_recipe(manifest).place
    if needed and not Path(needed).exists():
        problem = f"{name} cannot be refreshed, {needed} is gone"
        return Finding.warn(NAME, problem, f"run hookwright setup {name} SOURCE")
    if not is_used:
        problem = f"no installed hook sends searches to {name}"
        fix = f"run hookwright setup {name}, or hookwright remove {name}"
        return Finding.warn(NAME, problem, fix)
    held = f"{count(manifest.pages, 'page')}, {count(manifest.passages, 'passage')}"
    return Finding.ok(NAME, f"{name}: {held}, crawled {manifest.crawled}")
