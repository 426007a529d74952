"""Find or create the project whose hook sends searches to a database."""

import shutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from hookwright.answers.disabling import describe_disabled, enable, is_disabled
from hookwright.answers.schema import name_database
from hookwright.clients.dialects import FORMS
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
    commit_project,
    create_project,
    explain_no_commit,
    plan_change,
)
from hookwright.project.installer import find_rivalry, is_installed_from, list_clients
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import Project, open_project, read_project
from hookwright.project.record_changes import add_databases
from hookwright.template.store import find_own_source
from hookwright_console.errors import RefusedError, StoppedError
from hookwright_console.objects import pick_texts
from hookwright_console.terminal import ask_yes, print_line, print_message
from hookwright_console.text import shorten_home

INSTALL = ("--scope", "user")
Proof = TypeVar("Proof")


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
    rest = [record for record in project.databases if name_database(record) not in new]
    if project.routes or not all(map(is_disabled, rest)):
        return []
    for record in rest:
        database = find_database(record)
        if not database or not is_ours(record, database) or is_there(database):
            return []
    return list(map(name_database, rest))


def add_record(
    project: Project, record: dict[str, Any], former: Collection[str] = ()
) -> dict[str, Any]:
    """Return the answers changed by adding a database's record to a project.

    The user's additions to an earlier record are kept, except for its `former` source's domains.
    """
    name = name_database(record)
    old = next((database for database in project.databases if is_ours(database, name)), {})
    # The user may have changed which searches the record denies.
    changed = {key: value for key, value in record.items() if key != FIELD or not old}
    kept = enable({**old, **changed})
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
    """The steps that register a server and send searches to it; `undo` collects their inverses."""

    def __init__(self, server: Server, *, commits: bool) -> None:
        self.undo = ExitStack()
        self._notes: list[str] = []  # messages for the user
        self._server = server
        self._commits = commits

    def run(
        self,
        project: Project | None,
        place: Path,
        records: Sequence[Mapping[str, Any]],
        add: Callable[[Project], dict[str, Any]],
        *,
        prove: Callable[[], Proof],
        message: str,
        yes: bool,
    ) -> tuple[Project, Proof]:
        """Register and prove the server, add records to a project, and install and test its hooks.

        Without a project, one is created at `place`. `add` returns an existing project's changed
        answers, and `prove` raises UnprovenError. After an error, nothing remains.
        """
        with self.undo:
            registration.register_with_undo(self._server, self.undo)
            proof = prove()
            if project:
                done = self._extend(project, list(map(name_database, records)), add, message)
            else:
                done = self._create(place, records)
            self._install(done)
            for record in records:
                prove_hook(done, record)
            self.register_elsewhere(done)
            if not project:
                print_line(f"Made the project {shorten_home(str(place))}, installed its hooks")
            print_message("hookwright", *self._notes)
            self._allow_tools(yes=yes)
            self.undo.pop_all()
        return done, proof

    def _create(self, place: Path, records: Sequence[Mapping[str, Any]]) -> Project:
        answers = {"databases": [*records], "hooks": [DOCSEARCH.name]}
        create_project(place, answers, find_own_source(), commits=self._commits)
        self.undo.callback(shutil.rmtree, place)
        if self._commits and (note := commit_project(place)):
            self._notes.append(note)
        return read_project(place)

    def _extend(
        self,
        project: Project,
        names: Sequence[str],
        add: Callable[[Project], dict[str, Any]],
        message: str,
    ) -> Project:
        removed, databases = list_removed(project, names), project.databases
        if removed:
            gone = f"records of {' and '.join(removed)}, whose databases no longer exist"
            if len(removed) == 1:
                gone = f"record of {removed[0]}, whose database no longer exists"
            self._notes.append(f"{project.name}: removed the {gone}")
        for name in names:
            if any(is_ours(record, name) and describe_disabled(record) for record in databases):
                self._notes.append(f"{project.name}: enabled {name} again")
        rest = [record for record in databases if name_database(record) not in removed]
        answers = add(replace(project, answers={**project.answers, "databases": rest}))
        if any(answers[key] != project.answers.get(key) for key in answers):
            self._apply(project, answers, message)
            before: dict[str, Any] = {"hooks": project.hooks}
            before |= {"databases": databases} if databases else {}
            self.undo.callback(self._restore, project.folder, before, ", ".join(names))
        return open_project(project.folder)

    def _apply(self, project: Project, answers: Mapping[str, Any], message: str) -> None:
        committed = apply_change(plan_change(project, answers), message, commit=self._commits)
        if self._commits and not committed and (missing := explain_no_commit(project)):
            self._notes.append(missing)

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
            self.undo.callback(run_own_installer, project, *INSTALL, "--uninstall")

    def register_elsewhere(self, project: Project) -> None:
        name = self._server.name
        for other in list_others(project):
            was_there = bool(registration.find_note(other, name))
            try:
                registration.register(self._server, other)
            except RefusedError as refused:
                self._notes.append(f"{other.title} does not have the server: {refused}")
            else:
                if not was_there:
                    self.undo.callback(registration.unregister_from, other, name)

    def _allow_tools(self, *, yes: bool) -> None:
        asking = registration.list_asking(self._server)
        tools = ", ".join(asking)
        try:
            agreed = (
                yes
                or not asking
                or ask_yes(f"Let the agent call {tools} without asking you?", default=True)
            )
        except KeyboardInterrupt:
            raise StoppedError(
                "stopped, and undid what was created and registered: run the same command again to "
                "go on"
            ) from None
        if not agreed:
            print_message("hookwright", f"you will be asked before each call to {tools}")
        elif asking:
            registration.allow(asking)
