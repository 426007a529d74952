"""Add a record to a project: plan the change, and find missing fields."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookwright.catalogues.catalogue import replace_answers
from hookwright.clients.claude.mcp_servers import list_servers
from hookwright.project.change import ProjectChange, check_committed, plan_change
from hookwright.project.reader import Project
from hookwright.project.record_changes import list_names
from hookwright.simulate.trust import check_hook, is_installed
from hookwright.template.store import find_checks
from hookwright.wizard.dialogue import can_ask
from hookwright.wizard.form import Form
from hookwright_console.errors import NoTerminalError


class Addition:
    """A record being added, with the last planned change."""

    def __init__(self, project: Project) -> None:
        check_committed(project)
        self.project = project
        self.form = Form(
            find_checks(project.source),
            list_servers(Path.cwd()),
            self.build,
            databases=list_names(project)[: len(project.databases)],
            routes=list(project.routes),
        )
        self._answers: Mapping[str, Any] = {}
        self._change: ProjectChange | None = None

    def plan(self, answers: Mapping[str, Any]) -> ProjectChange:
        if self._change is None or answers != self._answers:
            self._change = plan_change(self.project, answers)
            self._answers = dict(answers)
        return self._change

    def build(self, name: str, answers: Mapping[str, Any]) -> bytes:
        """Return a hook rendered with more answers, to run it; reject an untrusted hook."""
        hooks = {"hooks": [*self.project.hooks, name]} if name not in self.project.hooks else {}
        answers = {**answers, **hooks}
        path = self.project.find_hook(name)
        before = path.read_bytes() if path.is_file() else b""
        files = self.plan(answers).files
        content = files.get(path.relative_to(self.project.folder).as_posix()) or before
        if not is_installed(name, before):
            check_hook(name, content, replace_answers(self.project, answers))
        return content


def require(fields: Mapping[str, Any], options: Mapping[str, str]) -> bool:
    """Return whether a required field is missing, so that the user must be asked."""
    missing = [option for name, option in options.items() if name not in fields]
    if missing and not can_ask():
        raise NoTerminalError(*missing)
    return bool(missing)
