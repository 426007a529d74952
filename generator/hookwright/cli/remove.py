"""Remove records from a project, and documentation databases from this machine."""

from contextlib import suppress
from typing import Any

from hookwright.answers.disabling import disable
from hookwright.cli.apply import apply
from hookwright.cli.current_project import (
    ChangeOptions,
    RecordNames,
    agree_to_template,
    find_chosen,
    take_change_options,
)
from hookwright.cli.terminal import print_note
from hookwright.documentation.database_records import (
    explain_how_to_remove,
    find_database,
    find_users,
    forget_servers,
    is_there,
    list_connected,
    remove_whole,
)
from hookwright.documentation.projects import list_removed
from hookwright.project.change import apply_change, plan_change
from hookwright.project.current import find_project_place
from hookwright.project.installer import list_places
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import Project, holds_project, open_project, read_project
from hookwright.project.record_changes import (
    find_keys,
    has_record,
    list_hooks_without,
    list_names,
    read_record,
    remove_records,
)
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import agree, print_line
from hookwright_console.text import shorten, shorten_home


@take_change_options
def remove(names: RecordNames, *, options: ChangeOptions) -> int:
    """Remove databases and routes.

    The pages and the index that hookwright setup made for a database are deleted too.
    """
    wanted = list(dict.fromkeys(names))
    there = [name for name in wanted if is_there(name)]
    opened = find_chosen(options.project, wanted, yes=options.yes)
    place = find_project_place(None)
    if not opened and holds_project(place):  # it remains after it was uninstalled
        with suppress(RefusedError):
            left = open_project(place)
            opened = left if any(has_record(left, name) for name in wanted) else None
    if not opened:
        if unknown := [name for name in wanted if name not in there]:
            raise RefusedError(
                f"no documentation database '{shorten(unknown[0])}', and not a Hookwright project "
                "here: use --project"
            )
        return remove_databases(there, "", options)
    known = list_names(opened)
    others = [name for name in there if name not in known]
    records = [name for name in wanted if name not in others]
    code = remove_from(opened, records, options) if records else 0
    return max(code, remove_databases(others, "", options))


def remove_from(opened: Project, names: list[str], options: ChangeOptions) -> int:
    agree_to_template(opened, yes=options.yes)
    keys = find_keys(opened, names)
    records = [read_record(opened, key) for key in keys if key[0] == "databases"]
    databases = list(dict.fromkeys(filter(None, map(find_database, records))))
    there = [name for name in databases if is_there(name)]
    last = [*databases, *list_connected(records)]
    if len(last) == len(list_names(opened)) and not list_hooks_without(opened, keys):
        return uninstall_and_remove(opened, last, there, options)
    answers = remove_records(opened, names)
    code = apply(plan_change(opened, answers), f"Remove {', '.join(names)}", options, advises=False)
    if not options.dry_run:
        forget(opened.name, answers.get("databases", opened.databases))
    return max(code, remove_databases(there, opened.name, options))


def uninstall_and_remove(
    project: Project, databases: list[str], there: list[str], options: ChangeOptions
) -> int:
    """Uninstall a project that would have no records left, and remove its databases."""
    last, places = " and ".join(databases), list_places(project)
    if options.dry_run:
        if places:
            print_line(f"would uninstall {project.name}, which contains only {last}")
        code = remove_databases(there, project.name, options)
        print_line(format_kept(project, last))
        return code
    if places:
        agree(f"{project.name} contains only {last}: uninstall its hooks?", yes=options.yes)
    elif len(there) < len(databases):
        agree(f"Remove {last}?", yes=options.yes)
    change = plan_change(
        project, {"databases": [disable(database) for database in project.databases]}
    )
    apply_change(change, f"Disable {last}", commit=options.commit)
    for client, scope in places:
        where = ("--scope", scope, "--client", client.name)
        if faults := run_own_installer(project, *where, "--uninstall").faults:
            raise RefusedError("; ".join(map(str, faults)))
    if places:
        place = shorten_home(str(project.folder))
        print_line(f"{project.name} is uninstalled: delete {place} if you no longer need it")
    forget(project.name, [])
    code = remove_databases(there, project.name, options)
    print_line(format_kept(project, last))
    return code


def format_kept(project: Project, names: str) -> str:
    line = (
        f"{project.name} keeps the record of {names}, disabled, "
        "because a project needs at least one"
    )
    ended = list_removed(read_project(project.folder))
    return f"{line}: the next setup or connect removes it" if ended else line


def forget(project: str, rest: list[dict[str, Any]]) -> None:
    """Unregister servers that no project needs; `rest` contains the remaining databases."""
    names = forget_servers(project, rest)
    print_line(*(f"the server {name} is no longer configured" for name in names))


def remove_databases(names: list[str], project: str, options: ChangeOptions) -> int:
    code = 0
    for name in names:
        if users := find_users(name, but=project):
            way_out = "" if project else f": {explain_how_to_remove(name, users[0])}"
            print_note(
                f"the database {name} stays, the hooks of {', '.join(users)} use it{way_out}"
            )
            code = 0 if project else 1
        elif options.dry_run:
            print_line(f"would delete the database {name}")
        else:
            agree(f"Delete the pages and the index of {name}?", yes=options.yes, default=True)
            remove_whole(name)
            print_line(f"deleted the database {name}")
    return code
