"""Register a team's server with the client, and its databases with a project."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from hookwright.answers.schema import name_database
from hookwright.clients.json_objects import pick_texts
from hookwright.documentation.proof import prove_hook
from hookwright.documentation.records import is_of
from hookwright.documentation.registration import Server
from hookwright.documentation.setting_up import ProjectSteps
from hookwright.documentation.team_server import SharedDatabase, prove_shared
from hookwright.project.change import check_committed, check_known
from hookwright.project.reader import Project
from hookwright.project.record_changes import add_databases
from hookwright_console.errors import RefusedError
from hookwright_console.text import shorten

MAX_SHOWN = 3  # databases that have a word, too


class Connection(ProjectSteps):
    """Connects a project with databases of a server, step by step.

    Args:
        server: The server.
        databases: The databases.
        records: Their records.
        undo: Gets what undoes each step.
        commits: Whether to commit changes of a project that is in git.

    """

    def __init__(
        self,
        server: Server,
        databases: Sequence[SharedDatabase],
        records: Sequence[Mapping[str, Any]],
        undo: ExitStack,
        *,
        commits: bool,
    ) -> None:
        super().__init__(server, undo, commits=commits)
        self._databases = databases
        self._records = records

    def register_server(self) -> str:
        """Configure the client with the server, and return an address that it found."""
        self._register()
        return prove_shared(self._server, self._databases)

    def add_to_project(self, project: Project | None, place: Path) -> Project:
        """Add the records to a project, or make one; install its hooks, and prove the hook."""
        names = ", ".join(map(name_database, self._records))

        def add(kept: Project) -> dict[str, Any]:
            return add_databases(kept, self._records, replaces=True)

        message = f"Add {names} of {self._server.name}"
        project = self._enter(project, place, self._records, add, message)
        for record in self._records:
            prove_hook(project, record)
        self.register_elsewhere(project)
        return project


def check_names(project: Project, records: Sequence[Mapping[str, Any]], server: str) -> None:
    """Check that a project can take records of a server.

    Raises:
        RefusedError: It has uncommitted changes, or another record of one of the names.

    """
    check_known(project, project.source)
    check_committed(project)
    wanted = set(map(name_database, records))
    for one in project.databases:
        if name_database(one) in wanted and not is_of(one, server):
            raise RefusedError(
                f"{project.name} has another database {name_database(one)}: "
                "name the databases to connect, or remove that one first"
            )


def list_shared_words(
    there: Iterable[Mapping[str, Any]], records: Sequence[Mapping[str, Any]], server: str
) -> list[str]:
    """Return which keywords and domains of new records other databases have, too, in lines.

    Args:
        there: The records of the project.
        records: The new ones.
        server: The name of the server that they lead to, whose old records they replace.

    """
    names = set(map(name_database, records))
    others = [one for one in there if not (is_of(one, server) and name_database(one) in names)]
    lines = []
    for number, record in enumerate(records):
        for field, noun in (("keywords", "keyword"), ("domains", "domain")):
            for word in pick_texts(record, field):
                same = [
                    name_database(one)
                    for one in [*others, *records[:number]]
                    if word.casefold() in map(str.casefold, pick_texts(one, field))
                ]
                if same:
                    lines.append(
                        f"{name_database(record)} has the {noun} {shorten(word)}, which is "
                        f"also of {', '.join(map(shorten, same[:MAX_SHOWN]))}"
                    )
    return lines
