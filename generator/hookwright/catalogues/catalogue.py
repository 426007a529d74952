"""Read shared catalogues of records, and remember which records were imported."""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from hookwright.answers.disabling import enable, keep_disabled
from hookwright.answers.schema import QUESTIONS, RECORDS, name_database
from hookwright.answers.validation import refuse_faults
from hookwright.answers.yaml_files import read_content
from hookwright.project.change import ProjectChange
from hookwright.project.reader import Project
from hookwright.project.record_changes import add_databases, add_routes
from hookwright.template.store import find_checks
from hookwright_console.errors import MisusedError, RefusedError, ReportedError
from hookwright_console.files.regular import open_regular, read_regular
from hookwright_console.network.addresses import shorten_url
from hookwright_console.network.http_client import TookTooLongError, ask, run_within
from hookwright_console.network.peers import is_loopback
from hookwright_console.terminal import show_progress

PINS = ".hookwright-catalogues.json"

Key = tuple[str, str]  # a record's question and name
Record = Mapping[str, Any]
Records = Mapping[Key, Record]
# The digests of a catalogue's records when they were imported. The digest of a declined record is
# None, so that the record is not offered again as new.
Digests = Mapping[Key, str | None]
MAX_SIZE = 1_000_000  # bytes
REDIRECTS = 5
OK = 200
LIMIT = 10.0  # seconds for the whole download
UNFIT = re.compile("[\ud800-\udfff]")  # Python decodes bytes that are not UTF-8 to these surrogates
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # at least two letters, unlike a drive letter


class Pin(NamedTuple):
    """A catalogue's state at the time of an import."""

    sha256: str  # of the source's bytes
    records: Digests


def key_records(answers: Mapping[str, Any]) -> dict[Key, Record]:
    """Return records by question and name, enabled: each project decides which to disable."""
    databases, routes = answers.get("databases") or (), answers.get("routes") or {}
    records = {("databases", name_database(database)): enable(database) for database in databases}
    return records | {("routes", name): enable(route) for name, route in routes.items()}


def format_key(key: Key) -> str:
    return f"{RECORDS[key[0]]} {key[1]}"


def hash_record(record: Record) -> str:
    """Return a record's SHA-256 digest, which does not depend on field order."""
    return hashlib.sha256(json.dumps(record, sort_keys=True, default=str).encode()).hexdigest()


def open_catalogue(source: str, project: Project) -> tuple[Records, list[str], str]:
    """Return the records of the catalogue at a path or URL, all checked.

    Also returns the names of its other questions, which only the user may answer, and its SHA-256.
    Raises RefusedError.
    """
    content = fetch(source)
    answers = read_content(content, source)
    if not isinstance(answers, dict) or not answers.keys() & RECORDS.keys():
        raise RefusedError(f"{source} has no records: a catalogue has databases or routes")
    if unknown := [name for name in answers if name not in QUESTIONS]:
        line = f"{source}: {unknown[0]} is unknown: a catalogue has databases and routes"
        raise RefusedError(line)
    with show_progress("Checking its records", always=True):  # checking patterns can take seconds
        try:
            for question in filter(answers.__contains__, RECORDS):
                here = project.answers.get(question, ())
                template, answer = find_checks(project.source), answers[question]
                refuse_faults(template, question, answer, project.routes, earlier=here)
        except RefusedError as refused:
            raise RefusedError(f"{source}: {refused}") from None
    names = list(map(name_database, answers.get("databases", ())))
    if twice := [name for name in names if names.count(name) > 1]:
        raise RefusedError(f"{source}: two databases are called {twice[0]}: rename one")
    left_out = [name for name in answers if name not in RECORDS]
    return key_records(answers), left_out, hashlib.sha256(content).hexdigest()


def read_pins(project: Project) -> dict[str, Pin]:
    """Return a project's pins by source; raises RefusedError."""
    path = project.folder / PINS
    if not path.exists():
        return {}
    try:
        return {
            source: Pin(
                pin["sha256"],
                {(kind, name): taken for kind in RECORDS for name, taken in pin[kind].items()},
            )
            for source, pin in json.loads(read_regular(path)).items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise RefusedError(f"{path} is damaged: restore it from git") from None


def keep_pins(change: ProjectChange, pins: Mapping[str, Pin]) -> ProjectChange:
    path = change.project.folder / PINS
    value = {
        source: {"sha256": pin.sha256}
        | {
            kind: {
                name: taken for (question, name), taken in pin.records.items() if question == kind
            }
            for kind in RECORDS
        }
        for source, pin in pins.items()
    }
    content = (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
    if path.exists() and read_regular(path) == content:
        return change
    return replace(change, files={**change.files, PINS: content})


def renew_digests(records: Records, former: Digests, taken: Records, here: Records) -> Digests:
    """Return the new digests of a catalogue's records.

    `taken` are the imported records, and `here` are those of the project.
    """
    known = dict.fromkeys(records) | {
        key: hash_record(here[key])
        if was and key in here and here[key] == records.get(key)
        else was
        for key, was in former.items()
        if key in records or key in here
    }
    return known | {key: hash_record(record) for key, record in taken.items()}


def change_records(project: Project, taken: Records) -> Project:
    here = {name_database(database): database for database in project.databases}
    databases = [
        keep_disabled(here.get(name, {}), record)
        for (kind, name), record in taken.items()
        if kind == "databases"
    ]
    routes = {
        name: keep_disabled(project.routes.get(name, {}), record)
        for (kind, name), record in taken.items()
        if kind == "routes"
    }
    if databases:
        project = replace_answers(project, add_databases(project, databases, replaces=True))
    return (
        replace_answers(project, add_routes(project, routes, replaces=True)) if routes else project
    )


def replace_answers(project: Project, answers: Mapping[str, Any]) -> Project:
    return replace(project, answers={**project.answers, **answers})


class UnreadableError(RefusedError):
    """A file is missing or unreadable."""


def find_source(source: str) -> str:
    """Return a source's canonical name, its URL or absolute path; raises MisusedError.

    A URL must be https or local, and contain no password.
    """
    if not SCHEME.match(source):
        if UNFIT.search(source):
            raise MisusedError(f"the name of {source} is not UTF-8: rename the file")
        return os.path.abspath(source)  # noqa: PTH100 - without .., and by the links that it names
    try:
        url = urlsplit(source)
    except ValueError as error:
        raise MisusedError(f"{source} is not a URL ({error}): correct it") from None
    shown = url._replace(netloc=url.netloc.rpartition("@")[2]).geturl()
    if url.scheme not in {"http", "https"} or not url.hostname:
        raise MisusedError(f"{shown} is not an https URL: use one, or the path of a file")
    if "@" in url.netloc:
        raise MisusedError(
            f"{shown} contains a password, which the project would store: download the file and "
            "use its path"
        )
    # An attacker who alters the first download could control what agents read; later downloads are
    # compared with the first.
    if url.scheme == "http" and not is_loopback(url.hostname):
        raise MisusedError(f"{shown} is not encrypted: use its https URL")
    return source


def fetch(source: str) -> bytes:
    """Return the untrusted content of a path or URL; raises RefusedError."""
    source = find_source(source)
    if SCHEME.match(source):
        content = fetch_url(source)
    else:
        try:
            with open_regular(Path(source)) as file:
                content = file.read(MAX_SIZE + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise UnreadableError(f"{source} cannot be read: {reason}: check the path") from None
    if len(content) > MAX_SIZE:
        raise RefusedError(f"{source} is too large: a catalogue has at most {MAX_SIZE:,} bytes")
    return content


def fetch_url(url: str) -> bytes:
    try:
        return run_within(LIMIT, lambda: request(url))
    except RefusedError:
        raise
    except TookTooLongError:
        raise RefusedError(f"{url} took more than {LIMIT:.0f} s: try again later") from None
    except Exception as error:  # noqa: BLE001 - whatever a stranger's server does
        raise RefusedError(
            f"{url} cannot be fetched ({error}): check it, or try again later"
        ) from None


def request(url: str) -> bytes:
    """Download a URL, following redirects only within its site."""
    target = url
    for _ in range(REDIRECTS):
        # A plain http URL is local, but a proxy would resolve it to the proxy's own loopback
        # interface.
        is_plain = target.casefold().startswith("http:")
        answer = ask(target, timeout=LIMIT, proxies=not is_plain, most=MAX_SIZE + 1)
        if not answer.location:
            break
        target = answer.location
        if urlsplit(target)[:2] != urlsplit(url)[:2]:
            shown = shorten_url(target)
            raise RefusedError(f"{url} redirects to {shown}: use that URL if you trust it")
    if answer.status != OK:
        raise ReportedError(f"status {answer.status}")
    return answer.content
