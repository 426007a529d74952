#!/usr/bin/env python3
"""Install the hooks of this folder into Claude Code, or take them out again.

The hooks are copied to the client's configuration folder (~/.claude, or CLAUDE_CONFIG_DIR), and the
entries of the settings.json beside this file are merged into the client's settings. Nothing else
is changed, and what was there before is kept as a backup. Installing again changes nothing.
"""

import argparse
import io
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import entries
from changes import (
    Change,
    Changes,
    apply_changes,
    describe_changes,
    edit_json,
    name_backup,
    read_json,
    remove_empty_folders,
    select_pending,
    show_changes,
)
from check import find_faults
from files import Fault, InstallError, list_folder, read_file, remove_remnants
from installation import SCOPES, Installation, find_config_folder, find_project, locate_settings

if TYPE_CHECKING:
    from collections.abc import Callable

PROJECT = Path(__file__).resolve().parent
ATTEMPTS = 20  # at changing files that another program changes at the same moment


def main(project: Path = PROJECT, command: str = "") -> int:
    """Do what the command line asks; return 0 if all is well, or else 1.

    Advice names the command that installs the hooks, which is this script unless it is given.
    """
    options = parse_options()
    for stream in (sys.stdout, sys.stderr):  # which may be unable to show a path
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        installation = Installation(project, find_config_folder(), options.scope)
        if options.check:
            return report_faults(find_faults(installation, command), as_json=options.json)
        plan = plan_uninstall if options.uninstall else plan_install
        if options.dry_run:
            pending = select_pending(plan(installation))
            if options.json:
                print(json.dumps(describe_changes(pending), indent=2))
            else:
                show_changes(pending)
        else:
            carry_out(plan, installation)
    except InstallError as refused:
        return refuse(refused.fault, as_json=options.json)
    except OSError as error:
        as_json = options.json and error.filename is not None  # or else the output itself failed
        return refuse(describe_error(error), as_json=as_json)
    return 0


def parse_options() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(description="Install the hooks of this folder.")
    parser.add_argument(
        "--scope",
        choices=SCOPES,
        default=SCOPES[0],
        help="the settings to add them to: yours (user, the default), or those of the current "
        "folder, shared (project) or your own (local)",
    )
    parser.add_argument("--dry-run", action="store_true", help="show the changes, make none")
    verb = parser.add_mutually_exclusive_group()
    verb.add_argument("--uninstall", action="store_true", help="take the hooks out again")
    verb.add_argument("--check", action="store_true", help="show what is wrong, change nothing")
    parser.add_argument("--json", action="store_true", help="with those two: print JSON")
    options = parser.parse_args()
    if options.json and not (options.check or options.dry_run):
        parser.error("--json needs --check or --dry-run")
    return options


def report_faults(faults: "list[Fault]", *, as_json: bool) -> int:
    """Print the faults; return the exit code."""
    if as_json:
        records = [fault._asdict() for fault in faults]
        print(json.dumps(records, indent=2, default=str))
    else:
        print("\n".join(map(str, faults)) or "all is well")
    return int(bool(faults))


def refuse(fault: Fault, *, as_json: bool) -> int:
    """Print the fault that nothing was changed for; return the exit code."""
    if as_json:
        return report_faults([fault], as_json=True)
    print(f"install.py: {fault}", file=sys.stderr)
    return 1


def describe_error(error: OSError) -> Fault:
    """Return the fault that the system reports."""
    path = Path(str(error.filename)) if error.filename else None
    problem = "cannot be used" if path else "the output cannot be written"
    return Fault(path, f"{problem} ({error.strerror})", "fix that, then try again")


def carry_out(plan: "Callable[[Installation], Changes]", installation: Installation) -> None:
    """Make the changes of a plan; plan again if another program changed a file meanwhile."""
    config = installation.config
    settings = [locate_settings(config, scope).parent for scope in SCOPES]
    for folder in dict.fromkeys([*settings, *list_folder(config / "hooks")]):
        remove_remnants(folder)
    for _ in range(ATTEMPTS):
        read_file.cache_clear()
        changes = plan(installation)
        try:
            pending = select_pending(changes)
            if apply_changes(pending):
                if pending and plan is plan_install:
                    warn_of_requests(installation)
                print(end="" if pending else "nothing to change\n")
                return
        finally:
            for path in changes:
                remove_empty_folders(path, config)
    problem = "is being changed by another program"
    raise InstallError(installation.settings, problem, "try again in a moment")


def warn_of_requests(installation: Installation) -> None:
    """Say which clients can ask the lesson search server by themselves, if an entry wants that."""
    handlers = entries.list_ours(installation.snippet)
    if any(handler.get("type") == "http" for _, _, handler in handlers):
        print("transport http is for Claude Code and Qwen Code: Codex CLI drops the whole file")


def plan_install(installation: Installation) -> Changes:
    """Return the changes that install the hooks and add them to the settings of the scope."""
    changes: Changes = {}
    config = installation.config
    for script in entries.list_scripts(installation.snippet):
        target, backup = config / script, name_backup(config / script)
        foreign = read_file(target) and not is_own_script(target, installation.name)
        if foreign and read_file(backup) and not hold_the_same(backup, target):
            raise InstallError(backup, f"is in the way of {target}", "move one of them away")
        content = installation.read_hook(script)
        changes[target] = Change(content, keeps=bool(foreign and not read_file(backup)))
    path = installation.settings
    before = read_settings(installation)
    former = [script for script in entries.list_scripts(before) if config / script not in changes]
    changes.update(plan_removal(installation, former))
    after = merge_settings(path, before, installation.wanted)
    if after != before:
        kept = read_file(name_backup(path)) or entries.list_ours(before)
        changes[path] = Change(edit_json(path, after), keeps=bool(read_file(path) and not kept))
    return changes


def plan_uninstall(installation: Installation) -> Changes:
    """Return the changes that undo an installation, also one that was killed half-way."""
    path = installation.settings
    before, backup = read_settings(installation), name_backup(path)
    rendered = entries.list_scripts(installation.snippet)
    changes = plan_removal(installation, [*rendered, *entries.list_scripts(before)])
    file, kept = read_file(path), read_file(backup)
    after = entries.remove_entries(before)
    if file and after != before:
        edited = edit_json(path, after)
        # Settings without anything else and without a backup are of our making.
        content = edited if kept or json.loads(edited.decode("utf-8-sig")) else None
        last = not entries.list_ours(after)  # or else the backup waits for another project
        restores = bool(last and kept and (kept.mode == file.mode or kept.content != content))
        changes[path] = Change(content, restores=restores)
        if last and not restores:
            changes[backup] = Change(None)  # their mode was changed since, and stays
    else:
        changes[path] = Change(file and file.content)
        if hold_the_same(backup, path):
            changes[backup] = Change(None)
    return changes


def plan_removal(installation: Installation, scripts: "list[Path]") -> Changes:
    """Return the changes that remove these hooks, and the files that they keep.

    A hook stays if another scope of the current folder runs it.
    """
    changes: Changes = {}
    config = installation.config
    others = {locate_settings(config, scope) for scope in SCOPES}
    others.discard(installation.settings)  # in the home folder two scopes are one
    files = filter(None, map(read_file, others))
    texts = [file.content.decode("utf-8", "replace") for file in files]
    for script in scripts:
        target, backup = config / script, name_backup(config / script)
        ours, kept = is_own_script(target, installation.name), read_file(backup)
        if read_file(target) and not ours:
            if hold_the_same(backup, target):
                changes[backup] = Change(None)
        elif not any(script.as_posix() in text for text in texts):
            if ours:
                found = find_kept(config / "hooks", script.stem)
                changes.update(dict.fromkeys(found, Change(None)))
            changes[target] = Change(kept and kept.content, restores=bool(kept))
    return changes


def hold_the_same(backup: Path, path: Path) -> bool:
    """Tell whether a backup equals its file: an installation was killed before it wrote that."""
    kept, file = read_file(backup), read_file(path)
    return kept is not None and file is not None and kept.content == file.content


def find_kept(folder: Path, hook: str) -> "list[Path]":
    """Return the files in which a hook remembers denials, counts blocks and records both."""
    digest = r"state-[\w-]*-[0-9a-f]{16}"
    names = re.compile(rf"{hook}-({digest}\.json|blocks-{digest}|blocks\.tsv(\.old)?)")
    found = [path for path in list_folder(folder) if names.fullmatch(path.name)]
    return [path for path in found if path.is_file() and not path.is_symlink()]


def is_own_script(script: Path, name: str) -> bool:
    """Tell whether an installed hook belongs to the named project; refuse another project's."""
    file = read_file(script)
    project = find_project(file.content) if file else None
    if project and project != name:
        problem = f"belongs to the project {project}, not to {name}"
        raise InstallError(script, problem, f"uninstall {project} first")
    return bool(project)


def read_settings(installation: Installation) -> "dict[str, Any]":
    """Return a client's settings; refuse those with an entry of another project."""
    settings: dict[str, Any] = read_json(installation.settings)
    name = installation.name
    for _, _, handler in entries.list_ours(settings):
        project = entries.find_project(handler) or name
        if project != name:
            problem = f"has an entry of the project {project}, not of {name}"
            raise InstallError(installation.settings, problem, f"uninstall {project} first")
    return settings


def merge_settings(path: Path, settings: "dict[str, Any]", snippet: "dict[str, Any]") -> Any:
    """Return the settings at `path` with the entries of the snippet."""
    try:
        return entries.merge_entries(settings, snippet)
    except TypeError as error:
        problem = f"cannot take the hooks ({error})"
        raise InstallError(path, problem, "fix it, then try again") from None


if __name__ == "__main__":
    sys.exit(main())
