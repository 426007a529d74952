"""Show a planned change, ask for confirmation, apply it, and update installed hooks."""

from collections.abc import Iterator, Mapping
from typing import Any

from hookwright.answers.differences import Difference, compare_answers, write_difference
from hookwright.cli.current_project import ChangeOptions
from hookwright.cli.installation import show_outcome
from hookwright.cli.terminal import print_note, show_diff
from hookwright.installer.client import CLAUDE
from hookwright.project.change import ProjectChange, apply_change, explain_no_commit
from hookwright.project.installer import (
    explain_elsewhere,
    find_rivalry,
    is_installed_from,
    is_packaged,
    list_places,
)
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import ANSWERS, Project, read_answers
from hookwright.project.status import find_refusal
from hookwright_console.terminal import agree, dump, print_line
from hookwright_console.text import make_printable

EMPTY: Mapping[str, object] = {"records": [], "answers": [], "files": []}


def apply(
    change: ProjectChange,
    message: str,
    options: ChangeOptions,
    *,
    default: bool = False,
    advises: bool = True,
) -> int:
    """Show a change, confirm it, apply it and reinstall the hooks; return the exit code.

    `message` describes the change, for example "Add the database gitlab", and is also used for the
    commit. `default` is the answer when the user presses Enter. With `advises`, suggest installing
    a project that is not installed.
    """
    if not change.files:
        return end_unchanged(options, message)
    if options.report is None or options.asks:
        if options.diff:
            show_diff(change.diff())
        else:
            show_change(change)
    exported = EMPTY
    if options.report:
        differences = list_differences(change)
        exported = {
            "records": [difference.export() for difference in differences if difference.record],
            "answers": [difference.export() for difference in differences if not difference.record],
            "files": [*list_files(change)],
        }
    if options.dry_run:
        print_line(f"{message}: dry run, nothing changed")
        return report(options, message, exported)
    agree(f"{message}, as above?", yes=options.yes, default=default)
    committed = apply_change(change, message, commit=options.commit)
    print_line(f"{message}: done" + (", and committed" if committed else ""))
    if options.commit and not committed and (missing := explain_no_commit(change.project)):
        print_note(missing)
    installed = update_installed(change.project, advises=advises)
    report(options, message, exported, applied=True, committed=committed, installed=installed)
    return 0 if all(installed.values()) else 1


def end_unchanged(options: ChangeOptions, message: str) -> int:
    print_line("nothing changes")
    return report(options, message)


def report(
    options: ChangeOptions,
    message: str,
    exported: Mapping[str, object] = EMPTY,
    *,
    applied: bool = False,
    committed: bool = False,
    installed: dict[str, bool] | None = None,
) -> int:
    """Print the changes as JSON if requested; return 0."""
    if options.report:
        row = {"message": message, **exported, "applied": applied, "committed": committed}
        row["installed"] = installed or {}
        print(dump(row, indent=2), file=options.report)
    return 0


def update_installed(project: Project, *, advises: bool = True) -> dict[str, bool]:
    """Reinstall a project's hooks in every place where they were installed from its folder."""
    command = project.name_command("install")
    missing = f"{project.name} is not installed from here: run {command}"
    if not is_installed_from(project):
        problem = find_rivalry(project) or (missing if advises else "")
        if problem and not is_packaged(project):
            print_line(problem)
        return {}
    places = list_places(project)
    if not places:
        refusal = find_refusal(project, CLAUDE)
        print_line(refusal or explain_elsewhere(project, "install", names_scope=True) or missing)
        return {"user": False} if refusal else {}
    done: dict[str, bool] = {}
    for client, scope in places:
        ended = run_own_installer(project, "--scope", scope, "--client", client.name)
        show_outcome(ended)
        done[scope if client is CLAUDE else f"{client.name} {scope}"] = not ended.faults
    return done


def show_change(change: ProjectChange) -> None:
    lines: list[str] = []
    for difference in list_differences(change):
        lines += [*write_difference(difference), *([""] if difference.record else [])]
    if lines:
        show_diff("\n".join(lines).rstrip("\n") + "\n")
    wide = max(map(len, map(make_printable, change.files)))
    for file in list_files(change):
        does = "" if file["does"] == "changed" else f"  {file['does']}"
        path = make_printable(file["path"])
        print(f"{path:{wide}}  +{file['added']} -{file['removed']}{does}")


def list_differences(change: ProjectChange) -> list[Difference]:
    content = change.files.get(ANSWERS)
    answers = read_answers(content.decode()) if content else {}
    after = {name: value for name, value in answers.items() if not name.startswith("_")}
    return compare_answers(change.project.answers, after) if content else []


def list_files(change: ProjectChange) -> Iterator[dict[str, Any]]:
    """Yield each changed file's path, kind of change, and numbers of added and removed lines."""
    for name, content in change.files.items():
        _, _, *lines = [*change.diff_file(name)] or ["", ""]
        added, removed = (sum(line[0] == sign for line in lines) for sign in "+-")
        is_new = not (change.project.folder / name).exists()
        does = "removed" if content is None else "new" if is_new else "changed"
        yield {"path": name, "does": does, "added": added, "removed": removed}
