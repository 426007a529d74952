"""Configure the client with the server of the databases, and take that out again.

A file beside the databases notes what was added, so that only that goes when it is taken out.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from hookwright.clients.claude.configuration import find_config_folder, locate_main
from hookwright.clients.claude.object_files import (
    Objects,
    change_file,
    find_blank,
    put,
    refuse_link,
    take,
)
from hookwright.clients.claude.settings import find_permission
from hookwright.clients.claude.tool_names import build_prefix
from hookwright.clients.json_objects import parse_object, read_object
from hookwright.installer import changes, entries
from hookwright.state_folder import find_state_folder
from hookwright_console.errors import RefusedError
from hookwright_console.files.atomic import replacing
from hookwright_console.objects import pick, pick_texts
from hookwright_documentation.databases import NOTES, find_root

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

LOCK = "registered.lock"  # in the state folder
SERVERS, PERMISSIONS, ALLOWED = "mcpServers", "permissions", "allow"
CLIENTS = "clients"  # in the notes: the servers of other clients than Claude Code


@dataclass(frozen=True)
class Server:
    """An MCP server as the client is configured with it."""

    name: str
    entry: dict[str, Any]  # what starts or reaches it
    tools: tuple[str, ...]  # the names that it gives the tools that an agent needs

    @property
    def full_tools(self) -> list[str]:
        return [build_prefix(self.name) + tool for tool in self.tools]


@contextmanager
def locking_notes() -> Iterator[None]:
    """Keep other processes from changing the notes meanwhile; it waits for them.

    The lock is not beside the databases, whose folder goes with the last of them. Without a place
    for it, and on Windows, the notes are changed all the same.
    """
    with ExitStack() as opened:
        if fcntl:
            with suppress(OSError):
                path = find_state_folder() / LOCK
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                fcntl.flock(opened.enter_context(path.open("w")), fcntl.LOCK_EX)
        yield


@locking_notes()
def register(server: Server) -> bool:
    """Configure the client with a server, for the user in every folder; return whether it was new.

    Raises RefusedError if the client has another server of this name, or its file cannot be
    changed.
    """
    path = locate_main()
    if is_registered(server):
        return False
    notes = read_notes()
    new = put(notes, (SERVERS, server.name), server.entry)
    write_notes(note_made(new, path, made=find_blank(path)))
    try:
        change_file(path, lambda one: put(one, (SERVERS, server.name), server.entry))
    except RefusedError:
        write_notes(notes)
        raise
    return True


def is_registered(server: Server) -> bool:
    """Return whether the client is configured with exactly this server.

    Raises RefusedError if it has another one of this name, or its file cannot be read or changed.
    """
    path = locate_main()
    main = parse_object(path) or {}
    if not isinstance(main.get(SERVERS, {}), dict):
        raise RefusedError(f'{path}: "{SERVERS}" is not an object: fix it, then try again')
    present = pick(main, SERVERS).get(server.name)
    if present not in (None, server.entry, pick(read_notes(), SERVERS).get(server.name)):
        raise RefusedError(
            f"{path} has another server {server.name}: remove it with claude mcp remove "
            f"{server.name} --scope user"
        )
    if present != server.entry:
        refuse_link(path, {SERVERS: {server.name: server.entry}})
    return bool(present == server.entry)


def read_entry(name: str) -> dict[str, Any] | None:
    return pick(pick(read_object(locate_main()), SERVERS), name) or None


def restore(name: str, entry: dict[str, Any] | None) -> None:
    if entry is None:
        unregister(name)
    else:
        register(Server(name, entry, ()))


def list_asking(server: Server) -> list[str]:
    """Return the tools of a server at each call of which the client asks the user."""
    settings = [read_object(locate_settings())]
    return [tool for tool in server.full_tools if not find_permission(settings, tool)]


@locking_notes()
def allow(tools: Sequence[str]) -> None:
    path, notes = locate_settings(), read_notes()
    refuse_link(path, {PERMISSIONS: {ALLOWED: [*tools]}})
    known = [*pick_texts(notes, ALLOWED), *tools]
    new_notes = {**notes, ALLOWED: list(dict.fromkeys(known))}
    write_notes(note_made(new_notes, path, made=is_made(path) or find_blank(path)))

    def add(settings: Objects) -> Objects:
        listed = pick(settings, PERMISSIONS).get(ALLOWED, [])
        if not isinstance(listed, list):
            raise RefusedError("permissions.allow is not a list: fix it, then try again")
        new = [tool for tool in tools if tool not in listed]
        return put(settings, (PERMISSIONS, ALLOWED), [*listed, *new])

    try:
        change_file(path, add)
    except RefusedError:
        write_notes(notes)
        raise


def note_made(notes: Objects, path: Path, *, made: bool | str) -> Objects:
    """Return notes with what a file becomes in which nothing is left, unless it stays."""
    return notes if made is False else put(notes, ("made", str(path)), made)


def is_made(settings: Path) -> bool:
    """Return whether settings are missing, or are there only because the hooks were installed.

    Where there were any before, install.py keeps them in a backup.
    """
    if changes.name_backup(settings).exists():
        return False
    return not settings.exists() or bool(entries.list_ours(read_object(settings)))


@locking_notes()
def unregister(name: str) -> bool:
    """Take a server and the permissions of its tools out of the client's configuration again.

    Returns whether something was there; what the user added or changed stays. Raises RefusedError.
    """
    notes, main, settings = read_notes(), locate_main(), locate_settings()
    entry = pick(notes, SERVERS).get(name)
    prefix = build_prefix(name)
    tools = [tool for tool in pick_texts(notes, ALLOWED) if tool.startswith(prefix)]
    made = pick(notes, "made")
    if tools:
        change_file(settings, partial(forbid, tools), made=made.get(str(settings), False))
    if entry is not None:
        where = (SERVERS, name)

        def remove(held: Objects) -> Objects:
            return take(held, where) if pick(held, SERVERS).get(name) == entry else held

        change_file(main, remove, made=made.get(str(main), False))
    rest = [tool for tool in pick_texts(notes, ALLOWED) if tool not in tools]
    notes = take({**notes, ALLOWED: rest}, (SERVERS, name))
    write_notes(notes if rest or SERVERS in notes or CLIENTS in notes else {})
    return bool(tools or entry)


def forbid(tools: Sequence[str], settings: Objects) -> Objects:
    listed = pick(settings, PERMISSIONS).get(ALLOWED)
    if not isinstance(listed, list) or not set(map(str, listed)).intersection(tools):
        return settings
    rest = [one for one in listed if one not in tools]
    where = (PERMISSIONS, ALLOWED)
    return put(settings, where, rest) if rest else take(settings, where)


def locate_settings() -> Path:
    return find_config_folder() / "settings.json"


def read_notes() -> Objects:
    return read_object(find_root() / NOTES)


def write_notes(notes: Objects) -> None:
    """Note what was added to the client's configuration; an empty object removes the file."""
    path = find_root() / NOTES
    if not notes:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        json.dump(notes, file, indent=2)
