"""Find or create the project whose hook sends searches to a database."""

import shutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from hookwright.answers.disabling import describe_disabled, enable, is_disabled
from hookwright.answers.schema import name_database
from hookwright.clients.server_forms import FORMS
from hookwright.discovery.ambiguous_keywords import FIELD
from hookwright.documentation import registration
from hookwright.documentation.database_records import find_database, is_ours, is_there
from hookwright.documentation.proof import prove_hook
from hookwright.documentation.registration import Server
from hookwright.hooks.registry import DOCSEARCH
from hookwright.installer.client import CLAUDE, Client
from hookwright.project.change import (
    apply_change,
    check_committed,
    check_known,
    explain_no_commit,
    plan_change,
)
from hookwright.project.creation import check_free, commit_project, create_project
from hookwright.project.installer import find_rivalry, is_installed_from, list_clients
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import Project, open_project, read_project
from hookwright.project.record_changes import add_databases
from hookwright.template.store import find_own_source
from hookwright_console.errors import RefusedError, StoppedError
from hookwright_console.objects import pick_texts
from hookwright_console.terminal import ask_yes, print_message

INSTALL = ("--scope", "user")


def check_project(
    project: Project,
    names: Collection[str],
    is_known: Callable[[Mapping[str, Any]], bool],
    way_out: str = "use another --name",
) -> None:
    """Check that records with these names can be added to a project.

    Raises RefusedError for uncommitted changes, or if a record with one of these names is rejected
    by `is_known`.
    """
    check_known(project, project.source)
    check_committed(project)
    for database in project.databases:
        name = name_database(database)
        if name in names and not is_known(database):
            raise RefusedError(
                f"{project.name} has another database {name}: {way_out}, or remove that one first"
            )


def list_removed(project: Project, names: Iterable[str] = ()) -> list[str]:
    """Return the records that a project keeps only because it needs at least one.

    The returned records are disabled, and their databases no longer exist. `names` are the records
    that are about to be added.
    """
    new = set(names)
    rest = [database for database in project.databases if name_database(database) not in new]
    if project.routes or not all(is_disabled(record) and is_gone(record) for record in rest):
        return []
    return list(map(name_database, rest))


def is_gone(record: dict[str, Any]) -> bool:
    name = find_database(record)
    return bool(name) and is_ours(record, name) and not is_there(name)


def describe_enabled(project: Project, name: str) -> list[str]:
    """Return a line for the user if a database's disabled record is enabled again."""
    ours = (database for database in project.databases if is_ours(database, name))
    return [f"{project.name}: enabled {name} again"] if any(map(describe_disabled, ours)) else []


def add_record(
    project: Project, record: dict[str, Any], former: Collection[str] = ()
) -> dict[str, Any]:
    """Return the answers changed by adding a database's record to a project.

    The user's additions to an earlier record are kept, except for its `former` source's domains.
    """
    name = name_database(record)
    old = next((database for database in project.databases if is_ours(database, name)), {})
    # The user may have changed which searches the record denies.
    given = {key: value for key, value in record.items() if key != FIELD or not old}
    kept = enable({**old, **given})
    kept["keywords"] = list(dict.fromkeys([*record["keywords"], *old.get("keywords", ())]))
    added = [text for text in pick_texts(old, "domains") if text not in former]
    kept["domains"] = list(dict.fromkeys([*record.get("domains", ()), *added]))
    if not kept["domains"]:
        del kept["domains"]
    return add_databases(project, [kept], replaces=True)


def list_others(project: Project) -> list[Client]:
    """Return a project's clients, other than Claude Code, to which a server can be added."""
    return [client for client in list_clients(project) if client.name in FORMS]


def name_places(project: Project) -> str:
    """Return a text for a question: the project and the clients that receive its server."""
    clients = [other.title for other in (CLAUDE, *list_others(project))]
    return " and to ".join([project.name, *clients])


class ProjectRegistration:
    """The steps that add a server's records to a project; `undo` collects the inverse steps."""

    def __init__(self, server: Server, undo: ExitStack, *, commits: bool) -> None:
        self.notes: list[str] = []  # messages for the user
        self._server = server
        self._undo = undo
        self._commits = commits

    def enter(
        self,
        project: Project | None,
        place: Path,
        records: Sequence[Mapping[str, Any]],
        add: Callable[[Project], dict[str, Any]],
        message: str,
    ) -> Project:
        """Add records to a project and commit, or create a project; then install and test hooks.

        `place` is a new project's folder, and `add` returns an existing project's changed answers.
        """
        names = list(map(name_database, records))
        if project is None:
            check_free(place)
            answers = {"databases": [*records], "hooks": [DOCSEARCH.name]}
            create_project(place, answers, find_own_source(), commits=self._commits)
            project = read_project(place)
            self._undo.callback(shutil.rmtree, project.folder)
            if self._commits and (note := commit_project(place)):
                self.notes.append(note)
        else:
            answers = add(self._leave_out_removed(project, names))
            self._change(project, answers, message, ", ".join(names))
            project = open_project(project.folder)
        self._install(project)
        for record in records:
            prove_hook(project, record)
        self.register_elsewhere(project)
        return project

    def finish(self, *, yes: bool) -> None:
        for note in self.notes:
            print_message("hookwright", note)
        if asking := registration.list_asking(self._server):
            tools = ", ".join(asking)
            question = f"Let the agent call {tools} without asking you?"
            try:
                agreed = yes or ask_yes(question, default=True)
            except KeyboardInterrupt:
                raise StoppedError(
                    "stopped, and undid what was created and registered: run the same command "
                    "again to go on"
                ) from None
            if agreed:
                registration.allow(asking)
            else:
                print_message("hookwright", f"you will be asked before each call to {tools}")

    def _change(
        self, project: Project, answers: Mapping[str, Any], message: str, names: str
    ) -> None:
        if all(answers[key] == project.answers.get(key) for key in answers):
            return
        self._apply(project, answers, message)
        before: dict[str, Any] = {"hooks": project.hooks}
        before |= {"databases": project.databases} if project.databases else {}
        self._undo.callback(self._restore, project.folder, before, names)

    def _leave_out_removed(self, project: Project, names: Iterable[str]) -> Project:
        removed = list_removed(project, names)
        if removed:
            gone = f"records of {' and '.join(removed)}, whose databases no longer exist"
            if len(removed) == 1:
                gone = f"record of {removed[0]}, whose database no longer exists"
            self.notes.append(f"{project.name}: removed the {gone}")
        rest = [
            database for database in project.databases if name_database(database) not in removed
        ]
        return replace(project, answers={**project.answers, "databases": rest})

    def _apply(self, project: Project, answers: Mapping[str, Any], message: str) -> None:
        committed = apply_change(plan_change(project, answers), message, commit=self._commits)
        if self._commits and not committed and (missing := explain_no_commit(project)):
            self.notes.append(missing)

    def _restore(self, folder: Path, answers: Mapping[str, Any], names: str) -> None:
        project = open_project(folder)
        self._apply(project, answers, f"Take out {names} again")
        if is_installed_from(project):
            run_own_installer(project, *INSTALL)

    def _install(self, project: Project) -> None:
        was_installed = is_installed_from(project)
        if rivalry := find_rivalry(project):
            raise RefusedError(rivalry)
        if faults := run_own_installer(project, *INSTALL).faults:
            raise RefusedError("; ".join(map(str, faults)))
        if not was_installed:
            self._undo.callback(run_own_installer, project, *INSTALL, "--uninstall")

    def register_elsewhere(self, project: Project) -> None:
        name = self._server.name
        for other in list_others(project):
            was_there = bool(registration.find_note(other, name))
            try:
                registration.register(self._server, other)
            except RefusedError as refused:
                self.notes.append(f"{other.title} does not have the server: {refused}")
            else:
                if not was_there:
                    self._undo.callback(registration.unregister_from, other, name)
