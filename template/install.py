#!/usr/bin/env python3
"""Install the hooks of this folder into Claude Code, or take them out again.

The hooks are copied to the client's configuration folder (~/.claude, or CLAUDE_CONFIG_DIR), and the
entries of the settings.json beside this file are merged into the client's settings. Nothing else
there is changed, and what was there before stays beside it. Installing again changes nothing.
"""

import argparse
import io
import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import entries
from changes import (
    Change,
    Changes,
    apply_changes,
    format_like,
    name_backup,
    read_json,
    remove_empty_folders,
    select_pending,
    show_changes,
)
from files import RefusedError, list_folder, read_file, remove_remnants

if TYPE_CHECKING:
    from collections.abc import Callable

PROJECT = Path(__file__).resolve().parent
SCOPES = ("user", "project", "local")
ATTEMPTS = 20  # at changing files that another program changes at the same moment
MARK = re.compile(rb"rendered by Hookwright for ([a-z0-9-]+)")  # what each hook says of itself


def main() -> int:
    """Do what the command line asks; return 0 when all is well, 1 when refused or at fault."""
    parser = argparse.ArgumentParser(description="Install the hooks of this folder.")
    parser.add_argument(
        "--scope",
        choices=SCOPES,
        default=SCOPES[0],
        help="the settings to add them to: yours (user, the default), or in the current folder "
        "those you share (project) or keep to yourself (local)",
    )
    parser.add_argument("--dry-run", action="store_true", help="show the changes, make none")
    verb = parser.add_mutually_exclusive_group()
    verb.add_argument("--uninstall", action="store_true", help="take the hooks out again")
    verb.add_argument("--check", action="store_true", help="say what is wrong, change nothing")
    options = parser.parse_args()
    for stream in (sys.stdout, sys.stderr):  # which may not be able to show each path
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        config = find_config_folder()
        if options.check:
            return report_faults(find_faults(config, options.scope))
        plan = plan_uninstall if options.uninstall else plan_install
        if options.dry_run:
            show_changes(select_pending(plan(config, options.scope)))
        else:
            carry_out(plan, config, options.scope)
    except RefusedError as refused:
        print(f"install.py: {refused}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"install.py: {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def carry_out(plan: "Callable[[Path, str], Changes]", config: Path, scope: str) -> None:
    """Make the changes of a plan, which is made anew where another program changed a file."""
    settings = [locate_settings(config, of).parent for of in SCOPES]
    for folder in dict.fromkeys([*settings, *list_folder(config / "hooks")]):
        remove_remnants(folder)
    for _ in range(ATTEMPTS):
        read_file.cache_clear()
        changes = plan(config, scope)
        try:
            pending = select_pending(changes)
            if apply_changes(pending):
                if pending and plan is plan_install:
                    warn_of_requests()
                print(end="" if pending else "nothing to change\n")
                return
        finally:
            for path in changes:
                remove_empty_folders(path, config)
    path = locate_settings(config, scope)
    raise RefusedError(f"{path} is being changed by another program: try again in a moment")


def warn_of_requests() -> None:
    """Say which clients an entry is for that has the client itself ask the lesson search server."""
    handlers = entries.list_ours(read_json(PROJECT / "settings.json"))
    if any(handler.get("type") == "http" for _, _, handler in handlers):
        print("transport http is for Claude Code and Qwen Code: Codex CLI drops a file that has it")


def find_config_folder() -> Path:
    """Return the folder that the client keeps its configuration in."""
    try:
        folder = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    except RuntimeError:
        raise RefusedError("there is no home folder: set HOME or CLAUDE_CONFIG_DIR") from None
    if not folder.is_absolute():
        raise RefusedError(f"{folder} is no absolute path: set CLAUDE_CONFIG_DIR to one")
    return folder


def locate_settings(config: Path, scope: str) -> Path:
    """Return the path of a scope's settings."""
    if scope == "user":
        return config / "settings.json"
    name = "settings.json" if scope == "project" else "settings.local.json"
    return Path.cwd() / ".claude" / name


def plan_install(config: Path, scope: str) -> Changes:
    """Return the changes that install the hooks and add them to the settings of the scope."""
    changes: Changes = {}
    snippet = read_json(PROJECT / "settings.json")
    for script in entries.list_scripts(snippet):
        target, backup = config / script, name_backup(config / script)
        foreign = read_file(target) and not is_our_script(target)
        if foreign and read_file(backup) and not hold_the_same(backup, target):
            raise RefusedError(f"{backup} is in the way of {target}: move one of them away")
        content = read_rendered(script)
        changes[target] = Change(content, keeps=bool(foreign and not read_file(backup)))
    path = locate_settings(config, scope)
    before = read_settings(path)
    former = [script for script in entries.list_scripts(before) if config / script not in changes]
    changes.update(plan_removal(config, scope, former))
    after = merge_settings(path, before, entries.fit_commands(snippet, scope, find_interpreter()))
    if after != before:
        kept = read_file(name_backup(path)) or entries.list_ours(before)
        changes[path] = Change(format_like(path, after), keeps=bool(read_file(path) and not kept))
    return changes


def read_rendered(script: Path) -> bytes:
    """Return the hook of this folder that is to be installed as a script."""
    path = PROJECT / "hooks" / script.name
    file = read_file(path)
    if not file:
        raise RefusedError(f"{path} is missing: take it back from git")
    return file.content


def plan_uninstall(config: Path, scope: str) -> Changes:
    """Return the changes that undo an installation, or what of one was done when it was killed."""
    path = locate_settings(config, scope)
    before, backup = read_settings(path), name_backup(path)
    rendered = entries.list_scripts(read_json(PROJECT / "settings.json"))
    changes = plan_removal(config, scope, [*rendered, *entries.list_scripts(before)])
    file, kept = read_file(path), read_file(backup)
    after = entries.remove_entries(before)
    if file and after != before:
        ours = entries.extract_entries(before)
        installed = kept and format_like(backup, merge_settings(backup, read_json(backup), ours))
        # Settings that hold nothing else and had no backup came with us.
        content = format_like(path, after) if after or kept else None
        if kept and file.content == installed:
            content = kept.content  # nobody else has changed them since
        restores = bool(kept and (kept.mode == file.mode or kept.content != content))
        changes[path] = Change(content, restores=restores)
        if not restores:
            changes[backup] = Change(None)  # their mode was changed since, and stays
    else:
        changes[path] = Change(file and file.content)
        if hold_the_same(backup, path):
            changes[backup] = Change(None)
    return changes


def plan_removal(config: Path, scope: str, scripts: "list[Path]") -> Changes:
    """Return the changes that remove these hooks, and the files that they keep.

    A hook stays that another scope of the current folder runs.
    """
    changes: Changes = {}
    others = {locate_settings(config, other) for other in SCOPES}
    others.discard(locate_settings(config, scope))  # in the home folder two scopes are one
    files = filter(None, map(read_file, others))
    texts = [file.content.decode("utf-8", "replace") for file in files]
    for script in scripts:
        target, backup = config / script, name_backup(config / script)
        ours, kept = is_our_script(target), read_file(backup)
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
    """Tell whether a backup holds what is in its place still, for an installation was killed."""
    kept, file = read_file(backup), read_file(path)
    return kept is not None and file is not None and kept.content == file.content


def find_kept(folder: Path, hook: str) -> "list[Path]":
    """Return the files that a hook remembers denials in, counts blocks in and records both in."""
    digest = r"state-[\w-]*-[0-9a-f]{16}"
    names = re.compile(rf"{hook}-({digest}\.json|blocks-{digest}|blocks\.tsv(\.old)?)")
    found = [path for path in list_folder(folder) if names.fullmatch(path.name)]
    return [path for path in found if path.is_file() and not path.is_symlink()]


def is_our_script(script: Path) -> bool:
    """Tell whether an installed hook is this project's; refuse another project's."""
    file = read_file(script)
    mark = MARK.search(file.content) if file else None
    name = read_project_name()
    if mark and mark[1].decode() != name:
        raise RefusedError(
            f"{script} is of the project {mark[1].decode()}, not of {name}: uninstall that first"
        )
    return bool(mark)


def find_faults(config: Path, scope: str) -> "list[str]":
    """Return what is wrong with the installation, each as a line with the way out."""
    faults = []
    snippet = read_json(PROJECT / "settings.json")
    scripts = entries.list_scripts(snippet)
    for script in scripts:
        installed = read_file(config / script)
        if not installed:
            faults.append(f"{config / script} is missing: run install.py")
        elif installed.content != read_rendered(script):
            faults.append(f"{config / script} is stale, not the hook rendered here: run install.py")
    path = locate_settings(config, scope)
    wanted = entries.unname_interpreter(entries.fit_commands(snippet, scope, find_interpreter()))
    if entries.unname_interpreter(read_json(path)) != wanted:
        faults.append(f"{path} has no entry, or a stale one: run install.py")
    faults += find_duplicates(config, snippet)
    for _, _, handler in entries.list_ours(read_json(path)):
        if command := entries.read_command(handler):
            named = entries.INTERPRETER.match(command)
            python = shlex.split(named[1])[0] if named else shutil.which("python3")
            faults += find_slowness(path, Path(python)) if python else []
    return list(dict.fromkeys(faults))


def find_duplicates(config: Path, snippet: "dict[str, Any]") -> "list[str]":
    """Return which hooks are run more than once, by which settings or plugin."""
    hooks = entries.list_hooks(snippet)
    runners: dict[str, list[str]] = {hook: [] for _, hook in hooks}
    plugin = read_project_name()
    for path in dict.fromkeys(locate_settings(config, scope) for scope in SCOPES):
        settings = read_json(path)
        for of, hook in hooks:
            for event, _, handler in entries.list_handlers(settings):
                if event == of and entries.runs_hook(handler, hook):
                    run = entries.read_command(handler) or handler["url"]
                    runners[hook].append(f"`{run[-40:]}` in {path}")
            enabled = settings.get("enabledPlugins")
            for name in enabled if isinstance(enabled, dict) else ():
                if name.startswith(f"{plugin}@") and enabled[name]:
                    runners[hook].append(f"the plugin {name}")
    return [
        f"{hook} is duplicated, run by {' and by '.join(found)}: keep one"
        for hook, found in runners.items()
        if len(found) > 1
    ]


def find_slowness(path: Path, python: Path) -> "list[str]":
    """Return what is wrong with the interpreter that the settings at `path` run.

    It is looked at and not run: settings of the current folder may be anybody's.
    """
    real = python.resolve()
    if not real.is_file():
        fault = "is gone"
    elif real.read_bytes()[:2] == b"#!" or not real.name.startswith(("python", "pypy")):
        fault = "is slow, a shim"
    elif (python.parent.parent / "pyvenv.cfg").exists():
        fault = "is slow, of a virtual environment"
    else:
        return []
    return [f"{python}, which {path} runs, {fault}: run install.py by another Python"]


def report_faults(faults: "list[str]") -> int:
    """Print the faults; return the exit code."""
    for fault in faults or ["all is well"]:
        print(fault)
    return int(bool(faults))


def read_settings(path: Path) -> "dict[str, Any]":
    """Return a client's settings; refuse those that another project has an entry in."""
    settings: dict[str, Any] = read_json(path)
    name = read_project_name()
    for _, _, handler in entries.list_ours(settings):
        project = entries.find_project(handler) or name
        if project != name:
            raise RefusedError(
                f"{path} has an entry of the project {project}, not of {name}: uninstall that first"
            )
    return settings


def read_project_name() -> str:
    """Return what this project, and so its plugin, is called."""
    name: str = read_json(PROJECT / ".claude-plugin" / "plugin.json")["name"]
    return name


def merge_settings(path: Path, settings: "dict[str, Any]", snippet: "dict[str, Any]") -> Any:
    """Return the settings at `path` with the entries of the snippet."""
    try:
        return entries.merge_entries(settings, snippet)
    except TypeError as error:
        raise RefusedError(f"{path}: {error}: mend it, then try again") from None


def find_interpreter() -> str:
    """Return the Python that runs this, by its own path and not that of a virtual environment."""
    if sys.prefix == sys.base_prefix:
        return sys.executable
    names = [f"bin/python{sys.version_info[0]}.{sys.version_info[1]}", "bin/python3", "python.exe"]
    paths = [Path(sys.base_prefix, name) for name in names]
    return str(next((path for path in paths if path.exists()), sys.executable))


if __name__ == "__main__":
    sys.exit(main())
