"""Plan the changes that install or uninstall a project's hooks."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from . import entries
from .changes import Changes, edit_json, is_blank, name_backup
from .files import InstallError, list_folder, read_content, read_file
from .records import find_source
from .scripts import list_installed, name_hook

if TYPE_CHECKING:
    from collections.abc import Collection

    from .client import Client
    from .installation import Installation

EDITED = ".edited"  # suffix for the copy of an installed file that the user edited
FORMER = ".former"  # suffix for a backup of settings that were replaced since


def plan_install(installation: "Installation") -> Changes:
    installation.refuse_rival()
    installation.refuse_package()
    base, scripts = installation.base, installation.wanted_scripts
    changes: Changes = {}
    for script in scripts:
        changes.update(plan_file(installation, base / script, installation.read_hook(script)))
    former = [script for script in installation.list_installed() if script not in scripts]
    changes.update(plan_removal(installation, former, scripts))
    plugin = installation.write_plugin() if installation.client.plugin else b""
    if plugin:
        changes.update(plan_file(installation, installation.settings, plugin))
    else:
        changes.update(plan_entries(installation))
    text = installation.write_record(installation.project.resolve(), is_used=True, plugin=plugin)
    record: Changes = {installation.record: text}
    # An existing record is written last, because unchanged hooks would otherwise look edited after
    # a killed installation.
    changes = {**changes, **record} if read_file(installation.record) else {**record, **changes}
    return {**changes, **dict.fromkeys(installation.list_unused_records())}


def plan_file(installation: "Installation", target: Path, content: bytes) -> Changes:
    if installation.is_foreign(target):
        raise InstallError(target, "is not a hook of Hookwright", "move it away, then try again")
    return {**keep_edit(installation, target, content), target: content}


def keep_edit(installation: "Installation", path: Path, wanted: bytes = b"") -> Changes:
    """Return the change that saves an edited file under a name that no client loads."""
    return keep_copy(path, EDITED) if installation.is_edited(path, wanted) else {}


def keep_backup(installation: "Installation") -> Changes:
    """Return the change that saves a backup of other settings, before a new one replaces it."""
    backup = name_backup(installation.settings)
    if read_content(backup) in (None, read_content(installation.settings)):
        return {}
    if not any(installation.record.parent.glob("hookwright-*.json")):  # it is the user's own file
        problem = f"is in the way of {installation.settings}"
        raise InstallError(backup, problem, "move one of them away")
    return keep_copy(backup, FORMER)


def keep_copy(path: Path, suffix: str) -> Changes:
    kept = path.with_name(path.name + suffix)
    if read_content(kept) not in (None, read_content(path)):
        raise InstallError(kept, f"is in the way of {path}", "move one of them away")
    return {kept: read_content(path)}


def plan_entries(installation: "Installation") -> Changes:
    path, before = installation.settings, installation.read_settings()
    content = read_content(path)
    if content is None or is_blank(content):
        before = {**installation.client.start}
    try:
        after = entries.merge_entries(before, installation.wanted, installation.names)
    except TypeError as error:
        problem = f"cannot take the hooks ({error})"
        raise InstallError(path, problem, "fix it, then try again") from None
    if after == before:
        return {path: content}
    edited = edit_json(path, after, has_comments=installation.client.has_comments)
    if entries.list_ours(before):
        return {path: edited}
    return {**keep_backup(installation), name_backup(path): content, path: edited}


def plan_uninstall(installation: "Installation") -> Changes:
    installation.refuse_rival("uninstall it there, or add --take-over")
    rendered = installation.wanted_scripts if installation.is_rendered else []
    scripts = dict.fromkeys([*rendered, *installation.list_installed()])
    changes = plan_removal(installation, list(scripts))
    if not installation.client.plugin:
        changes.update(plan_entries_removal(installation))
    elif not installation.is_foreign(installation.settings):
        changes.update(
            {**keep_edit(installation, installation.settings), installation.settings: None}
        )
    folder = find_source(installation.base, installation.name)
    if not installation.is_used_elsewhere(installation.name):
        changes[installation.record] = None
    elif folder:
        changes[installation.record] = installation.write_record(folder, is_used=False)
    return {**changes, **dict.fromkeys(installation.list_unused_records())}


def plan_entries_removal(installation: "Installation") -> Changes:
    path, client = installation.settings, installation.client
    backup = read_content(name_backup(path))
    before, content = installation.read_settings(), read_content(path)
    after = entries.remove_entries(before, installation.names)
    if after == before:
        is_needed = backup != content  # if equal, an installation was killed early
    else:
        content = edit_json(path, after, has_comments=client.has_comments)
        if holds_nothing(content, client):  # without a backup, the installation created the file
            content = backup if backup is not None and holds_nothing(backup, client) else None
        is_needed = content is None  # the backup holds settings that the user no longer has
    is_needed = is_needed or bool(entries.list_ours(after))
    removal = {name_backup(path): backup if is_needed else None}
    # If the process is killed in between, the next one recognises a backup that is no longer needed
    # only by its equal content.
    return {path: content, **removal} if content == backup else {**removal, path: content}


def holds_nothing(content: bytes, client: "Client") -> bool:
    start = json.dumps(client.start, separators=(",", ":"))
    return "".join(content.decode("utf-8-sig", "replace").split()) in ("", start)


def plan_removal(
    installation: "Installation", scripts: "list[Path]", staying: "Collection[Path]" = ()
) -> Changes:
    changes: Changes = {}
    base = installation.base
    names = installation.names
    others = [hook.path for hook in list_installed(base) if hook.project not in names]
    running = {name_hook(script) for script in [*others, *staying]}
    for script in scripts:
        target = base / script
        if installation.is_foreign(target) or installation.is_run_elsewhere(script):
            continue
        hook, project = name_hook(script), script.stem.partition("-")[2]
        found = find_memory(installation.memory, hook, project)
        found += find_files(target.parent / "__pycache__", rf"{script.stem}\.[\w.-]+\.pyc")
        if hook not in running:  # all projects with this hook share its block log
            found += find_files(installation.memory, rf"{hook}-blocks\.tsv(\.old)?")
        changes.update(dict.fromkeys([*found, target]))
        changes.update(keep_edit(installation, target))
    return changes


def find_memory(folder: Path, hook: str, project: str) -> "list[Path]":
    state = rf"state-{project}-\w*-" + "[0-9a-f]" * 16  # Jinja would interpret two braces
    return find_files(folder, rf"{hook}-({state}\.json|blocks-{state})")


def find_files(folder: Path, names: str) -> "list[Path]":
    found = [path for path in list_folder(folder) if re.fullmatch(names, path.name)]
    return [path for path in found if path.is_file() and not path.is_symlink()]
