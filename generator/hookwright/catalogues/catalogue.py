"""Read shared catalogues of records, and remember what was taken from them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hookwright.answers.disabling import enable, keep_disabled
from hookwright.answers.faults import refuse_faults
from hookwright.answers.schema import QUESTIONS, RECORDS, name_database
from hookwright.answers.yaml_reader import MisplacedError, read_document
from hookwright.catalogues.fetch import fetch
from hookwright.project.change import ProjectChange
from hookwright.project.reader import Project
from hookwright.project.record_changes import add_databases, add_routes
from hookwright.template.store import find_checks
from hookwright_console.errors import RefusedError
from hookwright_console.files.regular import read_regular
from hookwright_console.terminal import show_progress

PINS = ".hookwright-catalogues.json"

Key = tuple[str, str]  # the question that a record answers, and its name
Record = Mapping[str, Any]
Records = Mapping[Key, Record]


@dataclass(frozen=True)
class Catalogue:
    """The content of a source."""

    source: str  # an absolute path, or a URL
    digest: str  # SHA-256 of its bytes
    records: Records  # its records in their order
    left_out: tuple[str, ...]  # its answers to other questions, which only the user may answer


@dataclass(frozen=True)
class Pin:
    """The state of a catalogue when records were taken: its digest, and those of its records.

    A record that was not taken has None, so that it is not new later.
    """

    digest: str
    records: Mapping[Key, str | None]


def list_records(project: Project) -> Records:
    databases = {("databases", name_database(one)): enable(one) for one in project.databases}
    return {**databases, **{("routes", name): enable(one) for name, one in project.routes.items()}}


def describe(key: Key) -> str:
    return f"{RECORDS[key[0]]} {key[1]}"


def digest(record: Record) -> str:
    """Return the SHA-256 of a record, independent of the order of its fields."""
    return hashlib.sha256(json.dumps(record, sort_keys=True, default=str).encode()).hexdigest()


def open_catalogue(source: str, project: Project) -> Catalogue:
    """Return the catalogue at a path or URL, with all its records checked; raises RefusedError."""
    content = fetch(source)
    answers = read_answers(source, content)
    with show_progress("Checking its records", always=True):  # a second for some patterns
        check(source, answers, project)
    records: dict[Key, Record] = {}
    for database in answers.get("databases", ()):
        key = ("databases", name_database(database))
        if key in records:
            raise RefusedError(
                f"{source}: two databases are called {key[1]}: give one another name"
            )
        records[key] = enable(database)  # what is disabled is up to each project
    routes = answers.get("routes", {}).items()
    records.update({("routes", name): enable(route) for name, route in routes})
    left_out = tuple(name for name in answers if name not in RECORDS)
    return Catalogue(source, hashlib.sha256(content).hexdigest(), records, left_out)


def read_answers(source: str, content: bytes) -> dict[str, Any]:
    """Return the answers in a catalogue, unchecked; raises RefusedError."""
    try:
        value = read_document(content.decode("utf-8-sig")).value
    except UnicodeDecodeError:
        raise RefusedError(f"{source} is not UTF-8: save it as UTF-8") from None
    except MisplacedError as wrong:
        raise RefusedError(f"{source}: line {wrong.line + 1}: {wrong}") from None
    if not isinstance(value, dict) or not value.keys() & RECORDS.keys():
        raise RefusedError(f"{source} has no records: a catalogue has databases or routes")
    for name in value:
        if name not in QUESTIONS:
            raise RefusedError(f"{source}: {name} is unknown: a catalogue has databases and routes")
    return value


def check(source: str, answers: Mapping[str, Any], project: Project) -> None:
    for question in RECORDS:
        if question in answers:
            try:
                template = find_checks(project.source)
                here = project.answers.get(question, ())
                refuse_faults(template, question, answers[question], project.routes, earlier=here)
            except RefusedError as refused:
                raise RefusedError(f"{source}: {refused}") from None


def read_pins(project: Project) -> dict[str, Pin]:
    """Return the pins of a project, by the sources of the catalogues; raises RefusedError."""
    path = project.folder / PINS
    if not path.exists():
        return {}
    try:
        return {
            str(source): Pin(
                str(pin["sha256"]),
                {(kind, name): taken for kind in RECORDS for name, taken in pin[kind].items()},
            )
            for source, pin in json.loads(read_regular(path)).items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise RefusedError(f"{path} is damaged: restore it from git") from None


def keep_pins(change: ProjectChange, pins: Mapping[str, Pin]) -> ProjectChange:
    path = change.project.folder / PINS
    value = {
        source: {
            "sha256": pin.digest,
            **{
                kind: {key[1]: taken for key, taken in pin.records.items() if key[0] == kind}
                for kind in RECORDS
            },
        }
        for source, pin in pins.items()
    }
    content = (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
    if path.exists() and read_regular(path) == content:
        return change
    return replace(change, files={**change.files, PINS: content})


def find_pinned_source(key: Key, pins: Mapping[str, Pin]) -> str:
    """Return the source that a record was taken from, or ""."""
    return next((source for source, pin in pins.items() if pin.records.get(key)), "")


def renew_pin(catalogue: Catalogue, former: Pin | None, taken: Records, here: Records) -> Pin:
    """Return the pin of a catalogue after `taken` was taken from it to the records `here`."""
    records, before = catalogue.records, former.records if former else {}
    known = dict.fromkeys(records) | {
        key: digest(here[key]) if was and key in here and here[key] == records.get(key) else was
        for key, was in before.items()
        if key in records or key in here
    }
    return Pin(catalogue.digest, known | {key: digest(one) for key, one in taken.items()})


def change_records(project: Project, taken: Records) -> Project:
    here = {name_database(one): one for one in project.databases}
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
