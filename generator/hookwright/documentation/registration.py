"""Register the databases' server with the clients, and unregister it.

A file next to the databases records each addition, so that nothing else is removed later.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Any

from hookwright.clients.claude.object_files import (
    Objects,
    change_file,
    find_blank,
    put,
    refuse_link,
    replace_content,
    take,
)
from hookwright.clients.claude.settings import find_config_folder, find_permission, locate_main
from hookwright.clients.claude.tool_names import build_prefix
from hookwright.clients.dialects import FORMS, Entry, ServerForm
from hookwright.discovery.search_tools import LEANN, LEANN_COMMAND
from hookwright.installer import entries, files
from hookwright.installer.client import CLAUDE, CLIENTS, Client
from hookwright.lesson_server import find_running
from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import read_object
from hookwright_console.files.user_folders import find_state_folder
from hookwright_console.objects import pick, pick_texts
from hookwright_documentation.databases import FOLDER, NOTES, find_root
from hookwright_documentation.recipes.recipe import Engine

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

OUR_NAME = "hookwright-docs"
OUR_TOOLS = ("search_docs", "read_page", "list_databases")
SEARCH = f"{build_prefix(OUR_NAME)}{OUR_TOOLS[0]}"
DATABASE = "database"  # argument that names the database
LEANN_NAME = "leann"
LOCK = "registered.lock"  # in the state folder
SERVERS, PERMISSIONS, ALLOWED = "mcpServers", "permissions", "allow"
BY_CLIENT = "clients"  # key in the notes: additions to the client's file, by client and server
MADE = "made"  # key in the notes: remains of our own settings, by path


@dataclass(frozen=True)
class Server:
    """An MCP server in Claude Code's format."""

    name: str
    entry: dict[str, Any]  # command or URL
    tools: tuple[str, ...]  # tools that an agent needs

    @property
    def full_tools(self) -> list[str]:
        return [build_prefix(self.name) + tool for tool in self.tools]


class ClaudeForm(ServerForm):
    """Claude Code's format for an MCP server."""

    def locate(self, client: Client) -> Path:  # noqa: ARG002 - as in the other forms
        return locate_main()

    def write(self, entry: Entry) -> dict[str, Any]:
        return dict(entry)


def build_server(engine: str, *, always_load: bool = True) -> Server:
    """Return the server for an engine's databases; raises RefusedError if LEANN is missing.

    With `always_load`, a Claude Code session waits until our tools are available before it starts.
    """
    if engine == Engine.LEANN:
        from hookwright_documentation.leann.program import find_leann

        own = read_entry(LEANN_NAME) or {}  # the user's own server also finds an index by its path
        is_leann = PurePath(str(own.get("command"))).name == LEANN_COMMAND
        return Server(LEANN_NAME, own if is_leann else find_leann().build_entry(), (LEANN.name,))
    more = {"alwaysLoad": True} if always_load else {}
    return Server(OUR_NAME, find_entry() | more, OUR_TOOLS)


def find_entry() -> dict[str, Any]:
    from hookwright_documentation.serving.registration import build_http_entry, build_stdio_entry

    resident = None if os.environ.get(FOLDER) else find_resident()
    if resident:
        url, token = resident
        return build_http_entry(url, token=token)
    return build_stdio_entry()


def find_resident() -> tuple[str, bool] | None:
    """Return the resident server's address and whether it needs a token, or None."""
    from hookwright_console.system_service import find_config, find_service, read_environment

    try:
        if find_service().read_state() != "running":
            return None
        path = find_config() / "lesson-search" / "service.env"
        variables = read_environment(path) if path.exists() else {}
    except (ReportedError, OSError):
        return None
    url = find_running()
    return (url, "LESSON_SEARCH_TOKEN" in variables) if url else None


FORM_OF = {**FORMS, CLAUDE.name: ClaudeForm((), SERVERS, {}, {})}


@contextmanager
def locking_notes() -> Iterator[None]:
    """Lock the notes, waiting for other processes to release them.

    The lock is not next to the databases, because their folder is removed with the last database.
    If locking fails, or on Windows, the notes are changed without a lock.
    """
    with ExitStack() as opened:
        if fcntl:
            with suppress(OSError):
                path = find_state_folder() / LOCK
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                lock = opened.enter_context(path.open("w"))
                path.chmod(0o600)  # another user who can open it could hold it
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@locking_notes()
def register(server: Server, client: Client = CLAUDE) -> bool:
    """Register a server with a client for all of the user's folders; return whether it was new.

    Raises RefusedError if the client has another server with this name, or its file cannot be
    changed.
    """
    if is_registered(server, client):
        return False
    form, path, wanted = find_wanted(server, client)
    if path.suffix == ".toml":
        take_out(client, server.name)
    notes, blank = read_notes(), find_blank(path)
    for other in pick(pick(notes, BY_CLIENT), client.name).values():
        if blank is False and other.get("file") == str(path):
            blank = other.get("made", False)  # its state before the other server was added
    note: Objects = {"entry": wanted, "file": str(path), "made": blank}
    where = (BY_CLIENT, client.name, server.name)
    write_notes(put(notes, where, note))
    try:
        if path.suffix == ".toml":
            added = add_to_tables(path, (form.holder, server.name), wanted)
            write_notes(put(notes, where, {**note, "text": added}))
        else:
            change_file(
                path,
                lambda held: put(held, (form.holder, server.name), wanted),
                has_comments=form.has_comments,
            )
    except RefusedError:
        write_notes(notes)
        raise
    return True


def is_registered(server: Server, client: Client = CLAUDE) -> bool:
    """Return whether a client is configured with exactly this server entry.

    Raises RefusedError if the client has another server with this name, or its file cannot be read
    or changed.
    """
    form, path, wanted = find_wanted(server, client)
    present = find_server(form, path, server.name) if path.exists() else None
    if present == wanted:
        return True
    if present not in (None, find_note(client, server.name).get("entry")):
        held, way_out = f"another server {server.name}", "rename or remove that first"
        if client is CLAUDE:
            way_out = f"remove it with claude mcp remove {server.name} --scope user"
            theirs, own = (pick(entry, "env").get(FOLDER) for entry in (present, wanted))
            if theirs != own:
                held = f"{server.name} of another documentation folder, {theirs or 'the default'}"
                way_out = f"{f'set {FOLDER} to it' if theirs else f'unset {FOLDER}'}, or {way_out}"
        raise RefusedError(f"{path} has {held}: {way_out}")
    refuse_link(path, {form.holder: {server.name: wanted}})
    return False


def find_wanted(server: Server, client: Client) -> tuple[ServerForm, Path, dict[str, Any]]:
    """Return a client's format, its file, and the server in that format."""
    form = FORM_OF[client.name]
    return form, form.locate(client), form.write(server.entry)


def find_server(form: ServerForm, path: Path, name: str) -> Mapping[str, Any] | None:
    """Return a server from a client's file, or None; raises RefusedError."""
    files.read_file.cache_clear()
    with refusing_unusable(path):
        if path.suffix == ".toml":
            from hookwright.clients.toml_tables import parse_tables

            held = parse_tables(read_utf8(path), path)
        else:
            held = files.read_json(path, has_comments=form.has_comments)
    servers = held.get(form.holder, {})
    if not isinstance(servers, dict):
        raise RefusedError(f'{path}: "{form.holder}" is not an object: fix it, then try again')
    found = servers.get(name)
    return found if isinstance(found, dict) or found is None else {}


def read_entry(name: str) -> dict[str, Any] | None:
    return pick(pick(read_object(locate_main()), SERVERS), name) or None


def register_with_undo(server: Server, undo: ExitStack) -> None:
    """Register a server with Claude Code; `undo` receives the inverse step."""
    before = read_entry(server.name)
    if register(server):
        undo.callback(restore, server.name, before)


def restore(name: str, entry: dict[str, Any] | None) -> None:
    if entry is None:
        unregister_from(CLAUDE, name)
    else:
        register(Server(name, entry, ()))


def list_asking(server: Server) -> list[str]:
    """Return the server's tools for which the client asks the user's permission at each call."""
    settings = [read_object(locate_settings())]
    return [tool for tool in server.full_tools if not find_permission(settings, tool)]


@locking_notes()
def allow(tools: Sequence[str]) -> None:
    path, notes = locate_settings(), read_notes()
    refuse_link(path, {PERMISSIONS: {ALLOWED: [*tools]}})
    new_notes = {**notes, ALLOWED: list(dict.fromkeys([*pick_texts(notes, ALLOWED), *tools]))}
    blank = is_ours(path) or find_blank(path)
    write_notes(new_notes if blank is False else put(new_notes, (MADE, str(path)), blank))

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


def is_ours(settings: Path) -> bool:
    """Return whether settings are missing or were created by installing the hooks.

    If there were settings before, install.py has made a backup of them.
    """
    if files.name_backup(settings).exists():
        return False
    return not settings.exists() or bool(entries.list_ours(read_object(settings)))


@locking_notes()
def unregister(name: str) -> bool:
    """Remove a server and its tools' permissions from every client's configuration.

    Returns whether anything was removed; the user's changes stay. Raises RefusedError.
    """
    notes, prefix = read_notes(), build_prefix(name)
    clients = [client for client, servers in pick(notes, BY_CLIENT).items() if name in servers]
    tools = [tool for tool in pick_texts(notes, ALLOWED) if tool.startswith(prefix)]
    if tools:
        path = locate_settings()
        blank = pick(notes, MADE).get(str(path), False)
        change_file(path, partial(forbid, tools), blank=blank)
        rest = [tool for tool in pick_texts(notes, ALLOWED) if tool not in tools]
        write_notes({**notes, ALLOWED: rest} if rest else take(notes, (ALLOWED,)))
    for other in clients:
        if other in FORM_OF:
            take_out(CLIENTS[other], name)
    return bool(tools or clients)


def forbid(tools: Sequence[str], settings: Objects) -> Objects:
    listed = pick(settings, PERMISSIONS).get(ALLOWED)
    if not isinstance(listed, list) or not set(map(str, listed)).intersection(tools):
        return settings
    rest = [tool for tool in listed if tool not in tools]
    where = (PERMISSIONS, ALLOWED)
    return put(settings, where, rest) if rest else take(settings, where)


@locking_notes()
def unregister_from(client: Client, name: str) -> None:
    take_out(client, name)


def take_out(client: Client, name: str) -> None:
    """Do the work of `unregister_from`; the caller has locked the notes."""
    form, note = FORM_OF[client.name], find_note(client, name)
    path, entry, where = Path(str(note.get("file"))), note.get("entry"), (form.holder, name)

    def remove(held: Objects) -> Objects:
        return take(held, where) if pick(held, form.holder).get(name) == entry else held

    if path.suffix == ".toml" and find_server(form, path, name) == entry:
        drop_from_tables(path, str(note.get("text", "")), removes=note.get("made") is True)
    elif path.is_absolute() and path.suffix != ".toml":
        blank = note.get("made", False)
        change_file(path, remove, blank=blank, has_comments=form.has_comments)
    write_notes(take(read_notes(), (BY_CLIENT, client.name, name)))


def add_to_tables(path: Path, keys: tuple[str, str], wanted: Mapping[str, Any]) -> str:
    from hookwright.clients.toml_tables import add_table

    added = ""

    def edit() -> bytes:
        nonlocal added
        text, added = add_table(read_utf8(path), path, keys, wanted)
        return text.encode()

    replace_content(path, edit)
    return added


def drop_from_tables(path: Path, added: str, *, removes: bool) -> None:
    """Remove an addition from a TOML file; delete the file if we created it and it is now empty."""
    from hookwright.clients.toml_tables import drop_table

    def edit() -> bytes | None:
        rest = drop_table(read_utf8(path), added)
        return None if removes and not rest.strip() else rest.encode()

    replace_content(path, edit)


def read_utf8(path: Path) -> str:
    try:
        with refusing_unusable(path):
            return (files.read_file(path) or b"").decode()
    except ValueError:
        raise RefusedError(f"{path} is not UTF-8: fix it, then try again") from None


@contextmanager
def refusing_unusable(path: Path) -> Iterator[None]:
    try:
        yield
    except files.Fault as refused:
        raise RefusedError(str(refused)) from None
    except OSError as error:
        raise RefusedError(f"{path} cannot be used ({error.strerror}): fix that") from None


def locate_settings() -> Path:
    return find_config_folder() / "settings.json"


def find_note(client: Client, name: str) -> Objects:
    """Return the note about a client's server, or an empty one."""
    return pick(pick(pick(read_notes(), BY_CLIENT), client.name), name)


def read_notes() -> Objects:
    """Return the notes about additions to the clients' configuration."""
    return read_object(find_root() / NOTES)


def write_notes(notes: Objects) -> None:
    """Write the notes about the clients' configuration; delete the file if it would be empty."""
    path = find_root() / NOTES
    if not notes.keys() & {BY_CLIENT, ALLOWED}:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        json.dump(notes, file, indent=2)
