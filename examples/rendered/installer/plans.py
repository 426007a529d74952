"""Plan the changes that install or uninstall a project's hooks, and find what they would change."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from . import entries, files
from .files import Changes, Fault
from .installed_hooks import list_hooks, locate_record, name_hook

if TYPE_CHECKING:
    from .client import Client
    from .installation import Installation

EDITED = ".edited"  # suffix for the copy of an installed file that the user edited
FORMER = ".former"  # suffix for a backup of settings that were replaced since
PROBLEMS = {"add": "is missing", "change": "is stale", "remove": "is no longer needed"}


def plan_changes(installation: "Installation", *, uninstalls: bool = False) -> Changes:
    installation.refuse_rival("uninstall it there, or add --take-over" if uninstalls else "")
    client, settings = installation.client, installation.settings
    wanted = installation.wanted_scripts
    contents: dict[Path, bytes] = {}
    if not uninstalls:
        contents = {path: installation.read_hook(path) for path in wanted}
        contents.update({settings: installation.write_plugin()} if client.plugin else {})
    changes: Changes = {}
    for path, content in contents.items():
        if installation.is_foreign(path):
            raise Fault(path, "is not a hook of Hookwright", "move it away, then try again")
        changes.update({**keep_edit(installation, path, content), path: content})
    changes.update(plan_removal(installation, wanted, contents))
    if not client.plugin:
        plan = plan_entries_removal if uninstalls else plan_entries
        changes.update(plan(installation))
    elif uninstalls and not installation.is_foreign(settings):
        changes.update({**keep_edit(installation, settings), settings: None})
    unused = [name for name in installation.names[1:] if not installation.is_used_elsewhere(name)]
    changes.update({locate_record(installation.base, name): None for name in unused})
    users = {*installation.list_users(installation.name)} - {settings}
    record: Changes = {installation.record: None}
    if not uninstalls:
        record = {installation.record: installation.write_record(users | {settings}, contents)}
    elif users:
        record = {}
    # An existing record is written last, because unchanged hooks would otherwise look edited after
    # a killed installation.
    is_known = files.read_file(installation.record) is not None
    return {**changes, **record} if is_known else {**record, **changes}


def keep_edit(installation: "Installation", path: Path, wanted: bytes = b"") -> Changes:
    """Return the change that saves an edited file under a name that no client loads."""
    return keep_copy(path, EDITED) if installation.is_edited(path, wanted) else {}


def keep_backup(installation: "Installation") -> Changes:
    """Return the change that saves a backup of other settings, before a new one replaces it."""
    backup = files.name_backup(installation.settings)
    is_same = files.read_file(backup) in (None, files.read_file(installation.settings))
    return {} if is_same else keep_copy(backup, FORMER)


def keep_copy(path: Path, suffix: str) -> Changes:
    kept = path.with_name(path.name + suffix)
    if files.read_file(kept) not in (None, files.read_file(path)):
        raise Fault(kept, f"is in the way of {path}", "move one of them away")
    return {kept: files.read_file(path)}


def plan_entries(installation: "Installation") -> Changes:
    path, before = installation.settings, installation.read_settings()
    content = files.read_file(path)
    if files.is_blank(content):
        before = {**installation.client.start}
    try:
        after = entries.merge_entries(before, installation.wanted, installation.names)
    except TypeError:
        problem = 'cannot take the hooks ("hooks" is not an object of lists)'
        raise Fault(path, problem, "fix it, then try again") from None
    if after == before:
        return {path: content}
    edited = files.edit_json(path, after, has_comments=installation.client.has_comments)
    if entries.list_ours(before):
        return {path: edited}
    return {**keep_backup(installation), files.name_backup(path): content, path: edited}


def plan_entries_removal(installation: "Installation") -> Changes:
    path, client = installation.settings, installation.client
    backup = files.read_file(files.name_backup(path))
    before, content = installation.read_settings(), files.read_file(path)
    after = entries.remove_entries(before, installation.names)
    if after == before:
        is_needed = backup != content  # if equal, an installation was killed early
    else:
        content = files.edit_json(path, after, has_comments=client.has_comments)
        if holds_nothing(content, client):  # without a backup, the installation created the file
            content = backup if backup is not None and holds_nothing(backup, client) else None
        is_needed = content is None  # the backup holds settings that the user no longer has
    is_needed = is_needed or bool(entries.list_ours(after))
    removal = {files.name_backup(path): backup if is_needed else None}
    # If the process is killed in between, the next one recognises a backup that is no longer needed
    # only by its equal content.
    return {path: content, **removal} if content == backup else {**removal, path: content}


def holds_nothing(content: bytes, client: "Client") -> bool:
    start = json.dumps(client.start, separators=(",", ":"))
    return "".join(content.decode("utf-8-sig", "replace").split()) in ("", start)


def plan_removal(
    installation: "Installation", wanted: "list[Path]", staying: "dict[Path, bytes]"
) -> Changes:
    """Return the removal of scripts, and of their files, unless other settings run the project."""
    changes: Changes = {}
    names, hooks = installation.names, list_hooks(installation.base)
    others = [hook.path for hook in hooks if hook.project not in names]
    running = {name_hook(path) for path in [*others, *staying]}
    scripts = dict.fromkeys([*wanted, *installation.list_installed()])
    for script in [script for script in scripts if script not in staying]:
        hook, _, project = script.stem.partition("-")
        if installation.is_foreign(script) or installation.is_used_elsewhere(project):
            continue
        state = rf"state-{project}-\w*-" + "[0-9a-f]" * 16  # Jinja would interpret two braces
        found = find_files(installation.memory, rf"{hook}-({state}\.json|blocks-{state})")
        found += find_files(script.parent / "__pycache__", rf"{script.stem}\.[\w.-]+\.pyc")
        if hook not in running:  # all projects with this hook share its block log
            found += find_files(installation.memory, rf"{hook}-blocks\.tsv(\.old)?")
        changes.update(dict.fromkeys([*found, script]))
        changes.update(keep_edit(installation, script))
    return changes


def find_files(folder: Path, names: str) -> "list[Path]":
    found = [path for path in sorted(folder.glob("*")) if re.fullmatch(names, path.name)]
    return [path for path in found if path.is_file() and not path.is_symlink()]


def find_faults(installation: "Installation") -> "list[Fault]":
    """Return the missing or outdated parts of an installation, without changing anything."""
    if rivalry := installation.find_rivalry():
        return [rivalry]
    pending = files.select_pending(plan_changes(installation))  # raises if it cannot be installed
    settings, record = installation.settings, installation.record
    fix, is_recorded = f"run {installation.command}", files.read_file(record) is not None
    if not is_recorded and not installation.list_installed():
        return [Fault(None, f"{installation.name} is not installed", fix)]
    faults = []
    if former := installation.find_former_folder():
        faults.append(Fault(None, f"{installation.name} was moved here from {former}", fix))
    for path, content in pending.items():
        is_missing = path == record and not is_recorded
        if path.suffix == ".py" or is_missing or (path == settings and installation.client.plugin):
            faults.append(Fault(path, PROBLEMS[files.name_change(path, content)], fix))
        elif path == settings and not has_entries(installation):
            users = installation.list_users(installation.name)
            there = f"they are in {users[0]}, or " if users and path not in users else ""
            faults.append(Fault(path, "has no entry for the hooks, or a stale one", there + fix))
    return faults


def has_entries(installation: "Installation") -> bool:
    """Return whether the settings run the hooks, with any interpreter."""
    found = entries.list_ours(installation.read_settings(), installation.names)
    wanted = entries.list_ours(installation.wanted)
    return entries.unname_interpreter(found) == entries.unname_interpreter(wanted)
