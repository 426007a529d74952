"""Register a database with the client and a project, so that a failure undoes what was done."""

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hookwright.answers.disabling import describe_disabled
from hookwright.answers.schema import name_database
from hookwright.documentation import other_clients, registration
from hookwright.documentation.projects import add_record, list_removed, make_project
from hookwright.documentation.proof import Question, UnprovenError, prove_hook, prove_server
from hookwright.documentation.records import is_ours
from hookwright.documentation.registration import Server
from hookwright.project.change import apply_change, explain_no_commit, plan_change
from hookwright.project.creation import commit_project
from hookwright.project.installer import find_rivalry, is_installed_from
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import Project, open_project
from hookwright_console.errors import RefusedError
from hookwright_documentation.databases import Database

INSTALL = ("--scope", "user")


class ProjectSteps:
    """The steps by which a project gets records, each of which can be undone.

    Args:
        server: The server that searches their databases.
        undo: Gets what undoes each step.
        commits: Whether to commit changes of a project that is in git.

    Attributes:
        notes: What the user should know, in lines.

    """

    def __init__(self, server: Server, undo: ExitStack, *, commits: bool) -> None:
        self.notes: list[str] = []
        self._server = server
        self._undo = undo
        self._commits = commits

    def _register(self) -> None:
        before = registration.read_entry(self._server.name)
        if registration.register(self._server):
            self._undo.callback(registration.restore, self._server.name, before)

    def _enter(
        self,
        project: Project | None,
        place: Path,
        records: Sequence[Mapping[str, Any]],
        add: Callable[[Project], dict[str, Any]],
        message: str,
    ) -> Project:
        """Add records to a project and commit that, or make one; install its hooks."""
        names = list(map(name_database, records))
        if project is None:
            project = make_project(place, records, commits=self._commits)
            self._undo.callback(shutil.rmtree, project.folder)
            self._commit(project)
        else:
            answers = add(self._leave_out_removed(project, names))
            self._change(project, answers, message, ", ".join(names))
            project = open_project(project.folder)
        self._install(project)
        return project

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
            gone = f"records of {' and '.join(removed)}, whose databases are gone"
            if len(removed) == 1:
                gone = f"record of {removed[0]}, whose database is gone"
            self.notes.append(f"{project.name}: removed the {gone}")
        rest = [one for one in project.databases if name_database(one) not in removed]
        return replace(project, answers={**project.answers, "databases": rest})

    def _apply(self, project: Project, answers: Mapping[str, Any], message: str) -> None:
        committed = apply_change(plan_change(project, answers), message, commit=self._commits)
        if self._commits and not committed and (missing := explain_no_commit(project)):
            self.notes.append(missing)

    def _commit(self, project: Project) -> None:
        try:
            if self._commits and not commit_project(project.folder, f"Render {project.name}"):
                self.notes.append("git is missing, and updates of the project need it: install it")
        except RefusedError as refused:
            self.notes.append(str(refused))

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
        """Configure the project's other clients with the server; note where that fails."""
        name = self._server.name
        for one in other_clients.list_others(project):
            was_there = other_clients.is_noted(one, name)
            fault = other_clients.try_to_register(one, self._server)
            if fault:
                self.notes.append(f"{one.title} does not have the server: {fault}")
            elif not was_there:
                self._undo.callback(other_clients.unregister_from, one, name)


class Registration(ProjectSteps):
    """Registers a database, step by step.

    Args:
        server: The server that searches it.
        database: The database.
        record: Its record.
        former: The domains of the source that it was made of before.
        undo: Gets what undoes each step.
        left: What is left where it cannot be proven, for the user.
        commits: Whether to commit changes of a project that is in git.

    """

    def __init__(
        self,
        server: Server,
        database: Database,
        record: Mapping[str, Any],
        former: Collection[str],
        undo: ExitStack,
        *,
        left: str,
        commits: bool,
    ) -> None:
        super().__init__(server, undo, commits=commits)
        self._database = database
        self._record = dict(record)
        self._former = former
        self._left = left

    def register_server(self) -> Question:
        """Configure the client with the server, and return what it proved to answer."""
        self._register()
        with self._saying_left():
            return prove_server(self._server, self._database, self._record)

    def add_to_project(self, project: Project | None, place: Path) -> Project:
        """Add the record to a project, or make one; install its hooks, and prove the hook."""
        name, databases = self._database.manifest.name, project.databases if project else []
        if project and any(is_ours(one, name) and describe_disabled(one) for one in databases):
            self.notes.append(f"{project.name}: enabled {name} again")

        def add(kept: Project) -> dict[str, Any]:
            return add_record(kept, self._record, self._former)

        project = self._enter(project, place, [self._record], add, f"Add the database {name}")
        with self._saying_left():
            prove_hook(project, self._record)
        self.register_elsewhere(project)
        return project

    @contextmanager
    def _saying_left(self) -> Iterator[None]:
        """Have an error say how to go on, and what is left; raises UnprovenError."""
        try:
            yield
        except UnprovenError as error:
            raise UnprovenError(f"{error}; then run the same command again: {self._left}") from None

    def list_asking(self) -> list[str]:
        """Return the tools at each call of which the client asks the user."""
        return registration.list_asking(self._server)

    def allow(self, tools: Sequence[str]) -> None:
        """Have the client call tools without asking."""
        registration.allow(tools)
