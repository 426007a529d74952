"""Plan the changes that install or uninstall a project's hooks."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from . import entries, json_text
from .changes import Change, Changes, edit_json, is_blank, name_backup
from .files import InstallError, list_folder, read_file
from .records import find_source
from .scripts import is_hook, list_installed, name_hook

if TYPE_CHECKING:
    from collections.abc import Collection

    from .installation import Installation

EDITED = ".edited"  # suffix of an installed file that somebody edited
FORMER = ".former"  # suffix of a backup whose settings were replaced since


def plan_install(installation: "Installation") -> Changes:
    installation.refuse_rival()
    installation.refuse_package()
    base, scripts = installation.base, installation.wanted_scripts
    changes: Changes = {}
    for script in scripts:
        target, content = base / script, installation.read_hook(script)
        changes.update(plan_file(target, content, is_edited=installation.is_edited(script)))
    former = [script for script in installation.list_installed() if script not in scripts]
    changes.update(plan_removal(installation, former, scripts))
    plugin = installation.write_plugin() if installation.client.plugin else b""
    if plugin:
        is_edited = installation.is_plugin_edited(plugin)
        changes.update(plan_file(installation.settings, plugin, is_edited=is_edited))
    else:
        changes.update(plan_entries(installation))
    text = installation.write_record(installation.project.resolve(), is_used=True, plugin=plugin)
    record = {installation.record: Change(text)}
    # The record is written last; otherwise a new hook would look edited.
    changes = {**changes, **record} if read_file(installation.record) else {**record, **changes}
    return {**changes, **dict.fromkeys(installation.list_unused_records(), Change(None))}


def plan_file(target: "Path", content: bytes, *, is_edited: bool = False) -> Changes:
    """Return the changes that install one of our files; another's file is set aside."""
    changes: Changes = {}
    backup = name_backup(target)
    foreign = read_file(target) and not is_hook(target)
    if foreign:
        refuse_other_backup(backup, target)
    elif is_edited:
        changes.update(keep_beside(target, EDITED))
    changes[target] = Change(content, keeps=bool(foreign and not read_file(backup)))
    return changes


def plan_entries(installation: "Installation") -> Changes:
    path, before = installation.settings, installation.read_settings()
    file, backup = read_file(path), name_backup(path)
    before = before if file and not is_blank(file) else {**installation.client.start}
    try:
        after = entries.merge_entries(before, installation.wanted, installation.heir)
    except TypeError as error:
        problem = f"cannot take the hooks ({error})"
        raise InstallError(path, problem, "fix it, then try again") from None
    if after == before:
        return {}
    is_first = not entries.list_ours(before)
    changes = plan_former_backup(installation, backup) if is_first else {}
    if is_first and not changes:
        refuse_other_backup(backup, path)
    keeps = bool(file and is_first and (changes or not read_file(backup)))
    edited = edit_json(path, after, has_comments=installation.client.has_comments)
    return {**changes, path: Change(edited, keeps=keeps)}


def plan_former_backup(installation: "Installation", backup: "Path") -> Changes:
    """Return the changes that rename a backup whose settings were replaced since.

    Without an installation record, the backup is the user's, and stays.
    """
    is_recorded = any(installation.record.parent.glob("hookwright-*.json"))
    if not is_recorded or backup.is_symlink() or not read_file(backup):
        return {}
    if hold_the_same(backup, installation.settings):
        return {}
    return {**keep_beside(backup, FORMER), backup: Change(None)}


def refuse_other_backup(backup: "Path", path: "Path") -> None:
    if os.path.lexists(backup) and not hold_the_same(backup, path):
        raise InstallError(backup, f"is in the way of {path}", "move one of them away")


def keep_beside(path: Path, end: str) -> Changes:
    """Return the change that keeps a file under a name that no client loads."""
    kept, file = path.with_name(f"{path.name}{end}"), read_file(path)
    if read_file(kept) and not hold_the_same(kept, path):
        raise InstallError(kept, f"is in the way of {path}", "move one of them away")
    return {kept: Change(file and file.content)}


def plan_uninstall(installation: "Installation") -> Changes:
    installation.refuse_rival("uninstall it there, or add --take-over")
    rendered = installation.wanted_scripts if installation.is_rendered else []
    scripts = dict.fromkeys([*rendered, *installation.list_installed()])
    changes = plan_removal(installation, list(scripts))
    if installation.client.plugin:
        is_edited = installation.is_plugin_edited()
        changes.update(plan_file_removal(installation.settings, is_edited=is_edited))
    else:
        changes.update(plan_entries_removal(installation))
    folder = find_source(installation.base, installation.name)
    if not installation.is_used_elsewhere(installation.name):
        changes[installation.record] = Change(None)
    elif folder:
        changes[installation.record] = Change(installation.write_record(folder, is_used=False))
    return changes | dict.fromkeys(installation.list_unused_records(), Change(None))


def plan_entries_removal(installation: "Installation") -> Changes:
    path, client = installation.settings, installation.client
    before, backup = installation.read_settings(), name_backup(path)
    file, kept = read_file(path), read_file(backup)
    after = entries.remove_entries(before, installation.heir)
    if not file or after == before:
        same = {backup: Change(None)} if hold_the_same(backup, path) else {}
        is_last = not entries.list_ours(before)
        former = plan_former_backup(installation, backup) if is_last else {}
        return {path: Change(file and file.content), **same, **former}
    edited = edit_json(path, after, has_comments=client.has_comments)
    # Settings with no other content and no backup are ours.
    is_empty = json_text.is_just(edited.decode(), client.start, has_comments=client.has_comments)
    content = edited if kept or not is_empty else None
    if kept and is_empty and is_blank(kept):
        content = kept.content
    if not kept or entries.list_ours(after):  # uninstalling these needs the backup
        return {path: Change(content)}
    if (kept.content, kept.mode) == (content, file.mode):
        return {path: Change(content, restores=True)}
    return {backup: Change(None), path: Change(content)}


def plan_removal(
    installation: "Installation", scripts: "list[Path]", staying: "Collection[Path]" = ()
) -> Changes:
    changes: Changes = {}
    base = installation.base
    names = [installation.name, *installation.list_former_names()]
    others = [hook.path for hook in list_installed(base) if hook.project not in names]
    others_run = set(map(name_hook, others))
    running = others_run | set(map(name_hook, staying))
    for script in scripts:
        target = base / script
        if is_hook(target) and not installation.is_run_elsewhere(script):
            hook, project = name_hook(script), script.stem.partition("-")[2]
            found = find_memory(installation.memory, hook, project)
            found += find_files(target.parent / "__pycache__", rf"{script.stem}\.[\w.-]+\.pyc")
            if hook not in running:  # all projects' block log is then removed as well
                found += find_files(installation.memory, rf"{hook}-blocks\.tsv(\.old)?")
            changes.update(dict.fromkeys(found, Change(None)))
        is_foreign = read_file(target) and not is_hook(target)
        if is_foreign or not installation.is_run_elsewhere(script):
            is_edited = installation.is_edited(script)
            changes.update(plan_file_removal(target, is_edited=is_edited))
    return changes


def plan_file_removal(target: "Path", *, is_edited: bool = False) -> Changes:
    backup = name_backup(target)
    kept = read_file(backup)
    if read_file(target) and not is_hook(target):
        return {backup: Change(None)} if hold_the_same(backup, target) else {}
    changes = keep_beside(target, EDITED) if is_edited else {}
    return {**changes, target: Change(kept and kept.content, restores=bool(kept))}


def hold_the_same(backup: Path, path: Path) -> bool:
    """Return whether a backup equals its file: an installation was killed before replacing it."""
    kept, file = read_file(backup), read_file(path)
    return kept is not None and file is not None and kept.content == file.content


def find_memory(folder: Path, hook: str, project: str) -> "list[Path]":
    session = rf"{project}-\w*" if project else r"\w*"
    state = rf"state-{session}-" + "[0-9a-f]" * 16  # two braces would be Jinja syntax
    return find_files(folder, rf"{hook}-({state}\.json|blocks-{state})")


def find_files(folder: Path, names: str) -> "list[Path]":
    found = [path for path in list_folder(folder) if re.fullmatch(names, path.name)]
    return [path for path in found if path.is_file() and not path.is_symlink()]
