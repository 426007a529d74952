"""Install a project's hooks into any client, in a separate home folder."""

import io
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hookwright.installer.client import CLIENTS
from hookwright.installer.main import Outcome
from hookwright.project.own_installer import check_installation, run_own_installer
from hookwright.project.reader import open_project

from .installer import load_installer
from .project import GITHUB_API, GITLAB, ROUTES, render

HOOKS = ("docsearch", "tool_routing", "lesson_search")
OTHERS = ("codex", "copilot", "gemini", "qwen", "opencode")  # all clients except Claude Code
BY_SETTINGS = OTHERS[:-1]  # clients that configure hooks in their settings
WITH_COMMENTS = ("gemini", "qwen")


def render_for(template: Path, folder: Path, *clients: str) -> Path:
    answers: dict[str, Any] = {"databases": [GITLAB], "routes": {**ROUTES, "curl": GITHUB_API}}
    answers |= {"hooks": list(HOOKS), "clients": list(clients), "project_name": folder.name}
    return render(template, folder, **answers)


@dataclass(frozen=True)
class ClientInstaller:
    """Runs a project's install.py for one client, in this process."""

    project: Path
    home: Path
    client: str
    scope: str = "user"

    @property
    def work(self) -> Path:
        return self.home / "work"

    @property
    def facts(self) -> Any:
        return load_installer(self.project).CLIENTS[self.client]

    @property
    def config(self) -> Path:
        return self.home / str(self.facts.home)

    @property
    def settings(self) -> Path:
        path = self.facts.settings[self.scope].replace("NAME", self.project.name)
        return (self.config if self.scope == "user" else self.work) / str(path)

    def __call__(self, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        return self.run("--client", self.client, "--scope", self.scope, *arguments, **variables)

    def run(self, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        module = load_installer(self.project)
        module.files.read_file.cache_clear()
        output, errors = io.StringIO(), io.StringIO()
        with self.at_home(**variables) as patch, redirect_stdout(output), redirect_stderr(errors):
            patch.setattr("sys.argv", ["install.py", *arguments])
            code = module.main(self.project)
        return subprocess.CompletedProcess(arguments, code, output.getvalue(), errors.getvalue())

    def run_by_hookwright(self, *options: str) -> Outcome:
        with self.at_home():
            return run_own_installer(open_project(self.project), *options)

    def check_by_hookwright(self) -> list[str]:
        with self.at_home():
            project = open_project(self.project)
            return [*map(str, check_installation(project, self.scope, CLIENTS[self.client]))]

    @contextmanager
    def at_home(self, **variables: str) -> Iterator[pytest.MonkeyPatch]:
        self.work.mkdir(parents=True, exist_ok=True)
        with pytest.MonkeyPatch.context() as patch:
            for client in load_installer(self.project).CLIENTS.values():
                patch.delenv(client.variable, raising=False)
            for name, value in {
                "HOME": str(self.home),
                "PATH": "/usr/bin:/bin",
                **variables,
            }.items():
                patch.setenv(name, value)
            patch.chdir(self.work)
            patch.setattr("os.fsync", lambda _: None)
            yield patch


def run_command(command: str, event: bytes, home: Path) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        ["/bin/sh", "-c", command],
        input=event,
        capture_output=True,
        check=False,
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
    )
