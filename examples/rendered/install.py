#!/usr/bin/env python3
"""Install the hooks of this folder into Claude Code, or take them out again.

The hooks are copied to the client's configuration folder (~/.claude, or CLAUDE_CONFIG_DIR), and the
entries of the settings.json beside this file are merged into the client's settings. Nothing else
there is changed, and what was there before stays beside it. Installing again changes nothing.
"""

import argparse
import difflib
import json
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any, Optional

PROJECT = Path(__file__).resolve().parent
HOOK_MARK = b"rendered by Hookwright"
SCOPES = ("user", "project", "local")

# By this a command of ours is known; the groups are the event and the hook.
OUR_COMMAND = re.compile(
    r'S="\$\{CLAUDE_CONFIG_DIR:-\$HOME/\.claude\}/hooks/(\w+)/(\w+)\.py"; '
    r'\[ ! -f "\$S" \] \|\| exec '
)

Json = Any  # whatever the settings hold
Changes = dict[Path, Optional[bytes]]  # what each file is to hold; None removes it


class RefusedError(Exception):
    """What stands in the way, in one line with the way out."""


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
    parser.add_argument("--uninstall", action="store_true", help="take the hooks out again")
    parser.add_argument("--dry-run", action="store_true", help="show the changes, make none")
    parser.add_argument("--check", action="store_true", help="say what is wrong, change nothing")
    options = parser.parse_args()
    try:
        config = find_config_folder()
        if options.check:
            return report(find_faults(config, options.scope))
        plan = plan_uninstall if options.uninstall else plan_install
        changes = select_pending(plan(config, options.scope))
        if options.dry_run:
            show_changes(changes)
        else:
            apply_changes(changes, config)
    except RefusedError as refused:
        print(f"install.py: {refused}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"install.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


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
    for script in list_scripts(snippet):
        target = config / script
        if target.exists() and HOOK_MARK not in target.read_bytes():
            changes[name_backup(target)] = target.read_bytes()
        changes[target] = (PROJECT / "hooks" / script.name).read_bytes()
    path = locate_settings(config, scope)
    before = read_json(path)
    after = merge_entries(before, fit_commands(snippet, scope))
    if after != before:
        if path.exists() and remove_entries(before) == before:
            changes[name_backup(path)] = path.read_bytes()
        changes[path] = format_like(path, after)
    return changes


def plan_uninstall(config: Path, scope: str) -> Changes:
    """Return the changes that undo an installation; a hook that another scope runs stays."""
    changes: Changes = {}
    snippet = read_json(PROJECT / "settings.json")
    path = locate_settings(config, scope)
    before = read_json(path)
    after = remove_entries(before)
    backup = name_backup(path)
    if after != before:
        if backup.exists() and remove_entries(merge_entries(read_json(backup), snippet)) == after:
            changes = {path: backup.read_bytes(), backup: None}
        else:
            # Settings that hold nothing else and had no backup came with us.
            changes[path] = format_like(path, after) if after or backup.exists() else None
    others = [locate_settings(config, other) for other in SCOPES if other != scope]
    texts = [other.read_text("utf-8", "replace") for other in others if other.exists()]
    for script in list_scripts(snippet):
        target = config / script
        used = any(script.as_posix() in text for text in texts)
        if not used and target.exists() and HOOK_MARK in target.read_bytes():
            backup = name_backup(target)
            changes[target] = backup.read_bytes() if backup.exists() else None
            changes[backup] = None
            changes.update(dict.fromkeys((config / "hooks").glob(f"{script.stem}-state-*.json")))
    return changes


def select_pending(changes: Changes) -> Changes:
    """Return the changes that are not made yet; refuse them all where one is to a link."""
    pending = {
        path: content
        for path, content in changes.items()
        if content != (path.read_bytes() if path.exists() else None)
    }
    for path in pending:
        if path.is_symlink():
            raise RefusedError(f"{path} is a link: make the change in {path.resolve()} yourself")
    return pending


def show_changes(changes: Changes) -> None:
    """Print the changes as one would see them in a patch."""
    for path, content in changes.items():
        before = path.read_text("utf-8", "replace") if path.exists() else ""
        after = (content or b"").decode("utf-8", "replace")
        names = (str(path) if path.exists() else os.devnull, str(path) if content else os.devnull)
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), *names, lineterm="")
        print("\n".join(lines))
    if not changes:
        print("nothing to change")


def apply_changes(changes: Changes, config: Path) -> None:
    """Make the changes, and say each."""
    for path, content in changes.items():
        if content is None:
            remove_file(path, config)
        else:
            write_atomically(path, content)
        print("removed" if content is None else "wrote", path)
    if not changes:
        print("nothing to change")


def find_faults(config: Path, scope: str) -> "list[str]":
    """Return what is wrong with the installation, each as a line with the way out."""
    faults = []
    for path in select_pending(plan_install(config, scope)):
        if not path.exists():
            faults.append(f"{path} is missing: run install.py")
        elif path.suffix == ".py":
            faults.append(f"{path} is stale, it is not the hook rendered here: run install.py")
        else:
            faults.append(f"{path} has no entry, or a stale one: run install.py")
    paths = [locate_settings(config, name) for name in SCOPES]
    found = [(path, *handler) for path in paths for handler in list_handlers(read_json(path))]
    for script in list_scripts(read_json(PROJECT / "settings.json")):
        runners = [
            str(path)
            for path, event, _, handler in found
            if event == script.parent.name and script.name in handler["command"]
        ]
        if len(runners) > 1:
            where = ", ".join(runners)
            faults.append(f"{script.name} is duplicated, run by entries of {where}: keep one")
    named = re.compile(r"P=('[^']*'|\S+);")
    pythons = [
        (path, named.match(handler["command"])) for path, *_, handler in found if is_ours(handler)
    ]
    for path, python in dict.fromkeys((path, match[1]) for path, match in pythons if match):
        faults += find_delay(path, Path(shlex.split(python)[0]))
    return faults


def find_delay(path: Path, python: Path) -> "list[str]":
    """Return what is wrong with the interpreter that the settings at `path` name.

    It is looked at and not run: settings of the current folder may be anybody's.
    """
    real = python.resolve()
    if not real.is_file():
        fault = "is gone"
    elif real.read_bytes()[:2] == b"#!" or not real.name.startswith("python"):
        fault = "is slow, a shim"
    elif (python.parent.parent / "pyvenv.cfg").exists():
        fault = "is slow, of a virtual environment"
    else:
        return []
    return [f"{python}, which {path} names, {fault}: run install.py by another Python"]


def report(faults: "list[str]") -> int:
    """Print the faults; return the exit code."""
    for fault in faults or ["all is well"]:
        print(fault)
    return int(bool(faults))


def read_json(path: Path) -> Json:
    """Return the object that a file holds, or an empty one for a file that is not there."""
    try:
        value = json.loads(path.read_text("utf-8"), object_pairs_hook=refuse_duplicates)
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        raise RefusedError(f"{path} is not valid JSON ({error}): mend it, then try again") from None
    if not isinstance(value, dict):
        raise RefusedError(f"{path} holds no JSON object: mend it, then try again")
    return value


def refuse_duplicates(pairs: "list[tuple[str, Json]]") -> Json:
    """Return the pairs as a dict; one of two equal keys would be lost on the way."""
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("the same key twice in an object")
    return value


def format_like(path: Path, settings: Json) -> bytes:
    """Return the settings as JSON that is indented as the file is."""
    text = path.read_text("utf-8") if path.exists() else ""
    indent = re.search(r"^[ \t]+", text, re.MULTILINE)
    try:
        written = json.dumps(
            settings, indent=indent[0] if indent else 2, ensure_ascii=False, allow_nan=False
        )
        return (written + "\n").encode()
    except ValueError as error:
        raise RefusedError(f"{path} cannot be written back as it is: {error}") from None


def write_atomically(path: Path, content: bytes) -> None:
    """Write the file so that a reader finds either the old or the new content, whole."""
    mode = path.stat().st_mode if path.exists() else 0o600
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        temporary.chmod(0o755 if path.suffix == ".py" else mode)
        temporary.replace(path)
    except OSError:
        temporary.unlink()
        raise


def remove_file(path: Path, config: Path) -> None:
    """Remove the file, and the folders that only it kept."""
    path.unlink()
    for folder in path.parents:
        if folder in (config, Path.cwd()) or any(folder.iterdir()):
            break
        folder.rmdir()


def name_backup(path: Path) -> Path:
    """Return where the content that a file had before us is kept."""
    return path.with_name(path.name + ".before-hookwright")


def is_ours(handler: Json) -> bool:
    """Tell whether a handler in the settings runs a hook by a command of ours."""
    command = handler.get("command") if isinstance(handler, dict) else None
    return isinstance(command, str) and OUR_COMMAND.search(command) is not None


def list_handlers(settings: Json) -> "list[tuple[str, Json, Json]]":
    """Return the event, the matcher and the handler of each command in the settings."""
    hooks = settings.get("hooks")
    return [
        (event, entry.get("matcher"), handler)
        for event, entries in (hooks.items() if isinstance(hooks, dict) else ())
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and isinstance(entry.get("hooks"), list)
        for handler in entry["hooks"]
        if isinstance(handler, dict) and isinstance(handler.get("command"), str)
    ]


def list_ours(settings: Json) -> "list[tuple[str, Json, Json]]":
    """Return the event, the matcher and the handler of each hook of ours in the settings."""
    return [handler for handler in list_handlers(settings) if is_ours(handler[2])]


def list_scripts(snippet: Json) -> "list[Path]":
    """Return the hooks that the snippet runs, as paths below the client's configuration folder."""
    commands = "\n".join(handler["command"] for _, _, handler in list_ours(snippet))
    found = dict.fromkeys(OUR_COMMAND.findall(commands))
    return [Path("hooks", event, f"{hook}.py") for event, hook in found]


def remove_entries(settings: Json) -> Json:
    """Return the settings without our handlers, and without what only held those."""
    hooks = settings.get("hooks")
    if not list_ours(settings):
        return settings
    kept = {event: remove_handlers(entries) for event, entries in hooks.items()}
    kept = {event: entries for event, entries in kept.items() if entries or not hooks[event]}
    rest = {**settings, "hooks": kept}
    if not kept:
        del rest["hooks"]
    return rest


def remove_handlers(entries: Json) -> Json:
    """Return an event's entries without our handlers, and without entries that only held those."""
    if not isinstance(entries, list):
        return entries
    kept = []
    for entry in entries:
        handlers = entry.get("hooks") if isinstance(entry, dict) else None
        if isinstance(handlers, list) and any(map(is_ours, handlers)):
            others = [handler for handler in handlers if not is_ours(handler)]
            if others:
                kept.append({**entry, "hooks": others})
        else:
            kept.append(entry)
    return kept


def merge_entries(settings: Json, snippet: Json) -> Json:
    """Return the settings with the snippet's entries in place of any that we had there."""
    if sorted(map(str, list_ours(settings))) == sorted(map(str, list_ours(snippet))):
        return settings
    merged = remove_entries(settings)
    hooks = merged.get("hooks", {})
    if not isinstance(hooks, dict):
        raise RefusedError('"hooks" in the settings is no object: mend it, then try again')
    for event, entries in snippet["hooks"].items():
        present = hooks.get(event, [])
        if not isinstance(present, list):
            raise RefusedError(f'"{event}" in the settings is no list: mend it, then try again')
        hooks = {**hooks, event: present + entries}
    return {**merged, "hooks": hooks}


def fit_commands(snippet: Json, scope: str) -> Json:
    """Return the snippet with commands that fit the scope.

    A command names this machine's interpreter, which a shim or a virtual environment would delay,
    except in settings that are shared; and the scope, so that a hook that two scopes run, twice for
    a search, tells its denials from its twin's.
    """
    fitted = json.loads(json.dumps(snippet))
    for _, _, handler in list_ours(fitted):
        if scope != "project":
            find = f'P={shlex.quote(find_interpreter())}; [ -x "$P" ] || P=python3; '
            handler["command"] = find + handler["command"].replace("exec python3", 'exec "$P"')
        if scope != "user":
            handler["command"] += f" {scope}"
    return fitted


def find_interpreter() -> str:
    """Return the Python that runs this, by its own path and not that of a virtual environment."""
    if sys.prefix == sys.base_prefix:
        return sys.executable
    names = [f"bin/python{sys.version_info[0]}.{sys.version_info[1]}", "bin/python3", "python.exe"]
    paths = [Path(sys.base_prefix, name) for name in names]
    return str(next((path for path in paths if path.exists()), sys.executable))


if __name__ == "__main__":
    sys.exit(main())
