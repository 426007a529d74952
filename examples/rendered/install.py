#!/usr/bin/env python3
"""Install the hooks of this folder into Claude Code, or take them out again.

The hooks are copied to the client's configuration folder (~/.claude, or CLAUDE_CONFIG_DIR), and the
entries of the settings.json beside this file are merged into the client's settings. Nothing else
is changed, and what was there before is kept as a backup. Installing again changes nothing.
"""

import argparse
import io
import json
import os
import re
import sys
from contextlib import suppress
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
    write_patches,
)
from check import find_faults
from files import Fault, InstallError, escape, list_folder, read_file, remove_remnants
from installation import (
    FOLDERS,
    SCOPES,
    Installation,
    find_config_folder,
    find_folder,
    find_project,
    list_installed,
    locate_settings,
    name_hook,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

PROJECT = Path(__file__).resolve().parent
EDITED = ".edited"  # ends the name of a hook that somebody edited where it was installed
ATTEMPTS = 20  # at changing files that another program changes at the same moment
# A session as older versions wrote it; a hyphen is what separates the parts of a name now.
UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def main(project: Path = PROJECT, command: str = "") -> int:
    """Do what the command line asks; return 0 if all is well, or else 1.

    Advice names the command that installs the hooks, which is this script unless it is given.
    """
    options = parse_options()
    for stream in (sys.stdout, sys.stderr):  # which may be unable to show a path
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    output: list[str] = []  # which is printed when all is done, for printing may fail
    try:
        code = run(options, project, command, output)
    except InstallError as refused:
        code = refuse(refused.fault, output, as_json=options.json)
    except OSError as error:
        code = refuse(describe_error(error), output, as_json=options.json)
    return show(output) or code


def run(options: argparse.Namespace, project: Path, command: str, output: "list[str]") -> int:
    """Do what the options ask; add to the output, and return the exit code."""
    config = find_config_folder()
    installation = Installation(project, config, options.scope, options.take_over, command)
    if options.check:
        return report_faults(find_faults(installation), output, as_json=options.json)
    plan = plan_uninstall if options.uninstall else plan_install
    if not options.dry_run:
        carry_out(plan, installation, output)
        return 0
    pending = select_pending(plan(installation))
    if options.json:
        output.append(json.dumps(describe_changes(pending), indent=2))
    else:
        output += write_patches(pending)
    return 0


def show(output: "list[str]") -> int:
    """Print the output; return the exit code, 1 if that fails."""
    try:
        for text in output:
            print(text)
        sys.stdout.flush()
    except OSError as error:
        with suppress(OSError):  # or else Python tries to write the rest when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"install.py: {describe_error(error)}", file=sys.stderr)
        return 1
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
    parser.add_argument(
        "--take-over",
        action="store_true",
        help="go on if another folder installed a project of this name",
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


def report_faults(faults: "list[Fault]", output: "list[str]", *, as_json: bool) -> int:
    """Add the faults to the output; return the exit code."""
    if as_json:
        records = [fault._asdict() for fault in faults]
        output.append(json.dumps(records, indent=2, default=str))
    else:
        output += map(str, faults) if faults else ["all is well"]
    return int(bool(faults))


def refuse(fault: Fault, output: "list[str]", *, as_json: bool) -> int:
    """Say what the fault is; return the exit code."""
    if as_json:
        return report_faults([fault], output, as_json=True)
    print(f"install.py: {fault}", file=sys.stderr)
    return 1


def describe_error(error: OSError) -> Fault:
    """Return the fault that the system reports."""
    path = Path(str(error.filename)) if error.filename else None
    problem = "cannot be used" if path else "the output cannot be written"
    return Fault(path, f"{problem} ({error.strerror})", "fix that, then try again")


def carry_out(
    plan: "Callable[[Installation], Changes]", installation: Installation, output: "list[str]"
) -> None:
    """Make the changes of a plan; plan again if another program changed a file meanwhile."""
    config = installation.config
    settings = [locate_settings(config, scope).parent for scope in SCOPES]
    hooks = config / "hooks"
    for folder in dict.fromkeys([*settings, hooks, *(hooks / name for name in FOLDERS.values())]):
        remove_remnants(folder)
    former, rival = installation.find_former_folder(), installation.find_rival()
    for _ in range(ATTEMPTS):
        read_file.cache_clear()
        changes = plan(installation)
        resets = describe_resets(installation) if plan is plan_install else []
        try:
            pending = select_pending(changes)
            if apply_changes(pending, output):
                if not pending:
                    output.append("nothing to change")
                elif plan is plan_uninstall:
                    output += describe_staying(installation)
                else:
                    output += resets
                    kept = [path for path in pending if path.suffix == EDITED]
                    output += [f"kept your edit of {path.stem} as {path.name}" for path in kept]
                    output += describe_requests(installation)
                    if former:
                        how = "taken over" if rival else "moved here"
                        output.append(escape(f"{installation.name} was {how} from {former}"))
                return
        finally:
            for path in changes:
                remove_empty_folders(path, config)
    problem = "is being changed by another program"
    raise InstallError(installation.settings, problem, "try again in a moment")


def describe_requests(installation: Installation) -> "list[str]":
    """Return which clients can ask the lesson search server by themselves, if an entry does."""
    handlers = entries.list_ours(installation.snippet)
    if any(handler.get("type") == "http" for _, _, handler in handlers):
        return ["transport http is for Claude Code and Qwen Code: Codex CLI drops the whole file"]
    return []


def describe_resets(installation: Installation) -> "list[str]":
    """Return which timeouts somebody changed in the settings, and get the project's again."""
    wanted = read_timeouts(installation.wanted, installation)
    present = {**wanted, **read_timeouts(read_json(installation.settings), installation)}
    reset = {
        hook: seconds
        for (event, hook), seconds in wanted.items()
        if present[event, hook] != seconds
    }
    return [f"reset timeout of {hook} to {seconds}" for hook, seconds in reset.items()]


def read_timeouts(settings: Any, installation: Installation) -> "dict[tuple[str, str], Any]":
    """Return the timeouts of a project's hooks, by the event and the hook."""
    found = {}
    for event, _, handler in entries.list_owned(settings, installation.heir):
        script = entries.find_script(handler)
        found[event, name_hook(script) if script else "lesson_search"] = handler.get("timeout")
    return found


def describe_staying(installation: Installation) -> "list[str]":
    """Return which settings in other folders still need the hooks."""
    return [
        escape(f"kept the hooks: {path} still runs them")
        for path in installation.list_other_folders()
    ]


def plan_install(installation: Installation) -> Changes:
    """Return the changes that install the hooks and add them to the settings of the scope."""
    installation.refuse_rival()
    config, wanted = installation.config, installation.wanted
    changes: Changes = {}
    scripts = entries.list_scripts(wanted)
    for script in scripts:
        target, backup = config / script, name_backup(config / script)
        foreign = read_file(target) and not is_hook(target)
        if foreign and read_file(backup) and not hold_the_same(backup, target):
            raise InstallError(backup, f"is in the way of {target}", "move one of them away")
        content = installation.read_hook(script)
        if not foreign and installation.is_edited(script):
            changes.update(keep_edited(target))
        changes[target] = Change(content, keeps=bool(foreign and not read_file(backup)))
    former = [script for script in installation.list_installed() if script not in scripts]
    changes.update(plan_removal(installation, former, scripts))
    path = installation.settings
    before = read_json(path)
    after = merge_settings(path, before, wanted, installation.heir)
    if after != before:
        file, backup, is_first = read_file(path), name_backup(path), not entries.list_ours(before)
        if is_first and read_file(backup) and not hold_the_same(backup, path):
            raise InstallError(backup, f"is in the way of {path}", "move one of them away")
        keeps = bool(file and is_first and not read_file(backup))
        changes[path] = Change(edit_json(path, after), keeps=keeps)
    text = installation.write_record(installation.project.resolve(), is_used=True)
    record = {installation.record: Change(text)}
    # What is installed is recorded last, or else a new hook would be taken for an edited one.
    changes = {**changes, **record} if read_file(installation.record) else {**record, **changes}
    return {**changes, **dict.fromkeys(installation.list_unused_records(), Change(None))}


def keep_edited(script: Path) -> Changes:
    """Return the change that keeps a hook that somebody edited where it is installed."""
    kept, file = script.with_name(f"{script.name}{EDITED}"), read_file(script)
    if read_file(kept) and not hold_the_same(kept, script):
        raise InstallError(kept, f"is in the way of {script}", "move one of them away")
    return {kept: Change(file and file.content)}


def plan_uninstall(installation: Installation) -> Changes:
    """Return the changes that undo an installation, also one that was killed half-way."""
    installation.refuse_rival("uninstall it there, or add --take-over")
    path, owner = installation.settings, installation.heir
    before, backup = read_json(path), name_backup(path)
    rendered = entries.list_scripts(installation.wanted)
    scripts = dict.fromkeys([*rendered, *installation.list_installed()])
    changes = plan_removal(installation, list(scripts))
    file, kept = read_file(path), read_file(backup)
    after = entries.remove_entries(before, owner)
    others = entries.list_ours(after)  # whose uninstalling needs the backup
    if file and after != before:
        edited = edit_json(path, after)
        # Settings without anything else and without a backup are of our making.
        content = edited if kept or json.loads(edited.decode("utf-8-sig")) else None
        restores = bool(kept and not others and (kept.mode == file.mode or kept.content != content))
        if not restores and not others:
            changes[backup] = Change(None)  # their mode was changed since, and stays
        changes[path] = Change(content, restores=restores)
    else:
        changes[path] = Change(file and file.content)
        if hold_the_same(backup, path):
            changes[backup] = Change(None)
    folder = find_folder(installation.config, installation.name)
    if not installation.is_used_elsewhere(installation.name):
        changes[installation.record] = Change(None)
    elif folder:
        changes[installation.record] = Change(installation.write_record(folder, is_used=False))
    return changes | dict.fromkeys(installation.list_unused_records(), Change(None))


def plan_removal(
    installation: Installation, scripts: "list[Path]", staying: "Collection[Path]" = ()
) -> Changes:
    """Return the changes that remove these scripts, and the files that their hooks keep.

    A script stays if another scope runs it.
    """
    changes: Changes = {}
    config = installation.config
    names = [installation.name, *installation.list_former_names()]
    others = [hook.path for hook in list_installed(config) if hook.project not in names]
    others_run = set(map(name_hook, others))
    running = others_run | set(map(name_hook, staying))
    for script in scripts:
        target, backup = config / script, name_backup(config / script)
        ours, kept = is_hook(target), read_file(backup)
        if read_file(target) and not ours:
            if hold_the_same(backup, target):
                changes[backup] = Change(None)
        elif not installation.is_run_elsewhere(script):
            if ours:
                hook = name_hook(script)
                found = find_memory(config / "hooks", hook, script.stem.partition("-")[2])
                if hook not in running:
                    found += find_records(config / "hooks", hook)
                changes.update(dict.fromkeys(found, Change(None)))
            changes[target] = Change(kept and kept.content, restores=bool(kept))
    return changes


def hold_the_same(backup: Path, path: Path) -> bool:
    """Tell whether a backup equals its file: an installation was killed before it wrote that."""
    kept, file = read_file(backup), read_file(path)
    return kept is not None and file is not None and kept.content == file.content


def find_memory(folder: Path, hook: str, project: str) -> "list[Path]":
    """Return the files in which a project's hook remembers denials and counts blocks.

    Without a project, they are those of a plain script, also of an older version.
    """
    session = rf"{project}-\w*" if project else rf"(?:\w*|{UUID})"
    state = rf"state-{session}-[0-9a-f]{{16}}"
    return find_files(folder, rf"{hook}-({state}\.json|blocks-{state})")


def find_records(folder: Path, hook: str) -> "list[Path]":
    """Return the files in which the hooks of all projects record what they block."""
    return find_files(folder, rf"{hook}-blocks\.tsv(\.old)?")


def find_files(folder: Path, names: str) -> "list[Path]":
    """Return the files in a folder whose names match a pattern, and no links."""
    found = [path for path in list_folder(folder) if re.fullmatch(names, path.name)]
    return [path for path in found if path.is_file() and not path.is_symlink()]


def is_hook(script: Path) -> bool:
    """Tell whether a script is a hook of any project, and not a file of the user's."""
    file = read_file(script)
    return file is not None and find_project(script, file.content) is not None


def merge_settings(
    path: Path, settings: "dict[str, Any]", snippet: "dict[str, Any]", owner: entries.Owner
) -> Any:
    """Return the settings at `path` with the entries of the snippet."""
    try:
        return entries.merge_entries(settings, snippet, owner)
    except TypeError as error:
        problem = f"cannot take the hooks ({error})"
        raise InstallError(path, problem, "fix it, then try again") from None


if __name__ == "__main__":
    sys.exit(main())
