"""Configure other clients than Claude Code with the server of the databases, and undo that.

What was added is noted in the same file as for Claude Code, by client and server.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.clients.claude.object_files import (
    Objects,
    change_file,
    find_blank,
    put,
    read_content,
    refuse_link,
    replace_content,
    take,
)
from hookwright.clients.server_forms import FORMS, ServerForm
from hookwright.documentation.registration import (
    CLIENTS,
    Server,
    locking_notes,
    read_notes,
    write_notes,
)
from hookwright.installer import changes, client, files
from hookwright.project.installer import list_clients
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError
from hookwright_console.objects import pick

if TYPE_CHECKING:
    from hookwright.installer.client import Client


def list_others(project: Project) -> "list[Client]":
    return [one for one in list_clients(project) if one.name in FORMS]


def name_places(project: Project) -> str:
    """Return a project and the clients that get a server with it, as a question names them."""
    clients = [one.title for one in (client.CLAUDE, *list_others(project))]
    return " and to ".join([project.name, *clients])


@locking_notes()
def register_in(one: "Client", server: Server) -> bool:
    form = FORMS[one.name]
    path, wanted = form.locate(one), form.write(server.entry)
    notes = read_notes()
    noted = find_note(notes, one.name, server.name)
    present = find_server(form, path, server.name)
    if present == wanted:
        return False
    if present not in (None, noted.get("entry")):
        raise RefusedError(f"{path} has another server {server.name}: rename or remove that first")
    refuse_link(path, {form.holder: {server.name: wanted}})
    if present is not None:
        take_out(one, server.name)
        notes = read_notes()
    made = find_blank(path)
    for other in pick(pick(notes, CLIENTS), one.name).values():
        if made is False and other.get("file") == str(path):
            made = other.get("made", False)  # it was like this before the other server
    note: Objects = {"entry": wanted, "file": str(path), "made": made}
    where = (CLIENTS, one.name, server.name)
    write_notes(put(notes, where, note))
    try:
        if path.suffix == ".toml":
            write_notes(
                put(notes, where, {**note, "text": add_to_tables(path, form, server, wanted)})
            )
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


def try_to_register(one: "Client", server: Server) -> str:
    try:
        register_in(one, server)
    except RefusedError as refused:
        return str(refused)
    return ""


def find_server(form: ServerForm, path: Path, name: str) -> Mapping[str, Any] | None:
    """Return a server of a client's as its file has it, or None; raises RefusedError."""
    files.read_file.cache_clear()
    if path.suffix == ".toml":
        from hookwright.clients.toml_tables import parse_tables

        held = parse_tables(read_text(path), path)
    else:
        with refusing_unusable(path):
            held = changes.read_json(path, has_comments=form.has_comments)
    servers = held.get(form.holder, {})
    if not isinstance(servers, dict):
        raise RefusedError(f'{path}: "{form.holder}" is not an object: fix it, then try again')
    found = servers.get(name)
    return found if isinstance(found, dict) or found is None else {}


@locking_notes()
def unregister(name: str) -> bool:
    """Take a server out of every client's configuration; return whether it was in one."""
    noted = [one for one, servers in pick(read_notes(), CLIENTS).items() if name in servers]
    for one in noted:
        if one in FORMS:
            take_out(client.CLIENTS[one], name)
    return bool(noted)


@locking_notes()
def unregister_from(one: "Client", name: str) -> None:
    take_out(one, name)


def take_out(one: "Client", name: str) -> None:
    """Do what `unregister_from` does, for a caller that has locked the notes."""
    form, notes = FORMS[one.name], read_notes()
    note = find_note(notes, one.name, name)
    path, entry = Path(str(note.get("file"))), note.get("entry")
    if path.is_absolute() and find_server(form, path, name) == entry:
        if path.suffix == ".toml":
            drop_from_tables(path, str(note.get("text", "")), removes=note.get("made") is True)
        else:
            change_file(
                path,
                lambda held: take(held, (form.holder, name)),
                made=note.get("made", False),
                has_comments=form.has_comments,
            )
    write_notes(take(notes, (CLIENTS, one.name, name)))


def add_to_tables(path: Path, form: ServerForm, server: Server, wanted: Mapping[str, Any]) -> str:
    from hookwright.clients.toml_tables import add_table

    added = ""

    def edit() -> bytes:
        nonlocal added
        text, added = add_table(read_text(path), path, (form.holder, server.name), wanted)
        return text.encode()

    replace_content(path, edit)
    return added


def drop_from_tables(path: Path, added: str, *, removes: bool) -> None:
    """Take out of a TOML file what was added; the file goes if it was made and nothing is left."""
    from hookwright.clients.toml_tables import drop_table

    def edit() -> bytes | None:
        rest = drop_table(read_text(path), added)
        return None if removes and not rest.strip() else rest.encode()

    replace_content(path, edit)


def read_text(path: Path) -> str:
    try:
        with refusing_unusable(path):
            return (read_content(path) or b"").decode()
    except ValueError:
        raise RefusedError(f"{path} is not UTF-8: fix it, then try again") from None


@contextmanager
def refusing_unusable(path: Path) -> Iterator[None]:
    try:
        yield
    except files.InstallError as refused:
        raise RefusedError(str(refused)) from None
    except OSError as error:
        raise RefusedError(f"{path} cannot be used ({error.strerror}): fix that") from None


def is_noted(one: "Client", name: str) -> bool:
    return bool(find_note(read_notes(), one.name, name))


def find_note(notes: Objects, one: str, name: str) -> Objects:
    return pick(pick(pick(notes, CLIENTS), one), name)
