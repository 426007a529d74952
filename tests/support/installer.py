"""Run a rendered project's install.py."""

import importlib
import io
import json
import os
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest

from hookwright.project.own_installer import check_installation
from hookwright.project.reader import open_project

from .forked_scripts import SCRIPTS
from .project import search_event

NUMBERS = count()


@dataclass(frozen=True)
class Installer:
    """Runs a project's install.py with the client's folder at `config`, from another folder."""

    project: Path
    config: Path
    folder: Path

    def __call__(
        self, *arguments: str, python: str = sys.executable, **environment: str
    ) -> "subprocess.CompletedProcess[str]":
        environment = {"CLAUDE_CONFIG_DIR": str(self.config), **environment}
        return run_installer(
            self.project, *arguments, folder=self.folder, python=python, **environment
        )

    @property
    def hook(self) -> Path:
        return self.config / "hooks" / "PreToolUse" / f"docsearch-{self.name}.py"

    @property
    def name(self) -> str:
        plugin = json.loads((self.project / ".claude-plugin" / "plugin.json").read_text())
        return str(plugin["name"])

    @property
    def record(self) -> Path:
        return self.config / "hooks" / f"hookwright-{self.name}.json"

    @property
    def settings(self) -> Path:
        return self.config / "settings.json"

    def settings_of(self, scope: str) -> Path:
        folder = self.folder / ".claude"
        return {
            "user": self.settings,
            "project": folder / "settings.json",
            "local": folder / "settings.local.json",
        }[scope]

    def search(self, scope: str, **environment: str) -> int:
        """Run the only command in a scope's settings on a search event; return its exit code."""
        entries = json.loads(self.settings_of(scope).read_text())["hooks"]["PreToolUse"]
        [command] = [handler["command"] for entry in entries for handler in entry["hooks"]]
        return subprocess.run(
            ["/bin/sh", "-c", command],
            input=json.dumps(search_event("gitlab")).encode(),
            capture_output=True,
            check=False,
            env={"CLAUDE_CONFIG_DIR": str(self.config), "PATH": os.environ["PATH"], **environment},
        ).returncode


def run_installer(
    project: Path,
    *arguments: str,
    folder: Path | None = None,
    python: str = sys.executable,
    **environment: str,
) -> "subprocess.CompletedProcess[str]":
    words = [str(project / "install.py"), *arguments]
    own = {**os.environ, **environment}
    completed = SCRIPTS.run(words, b"", own, folder) if python == sys.executable else None
    completed = completed or subprocess.run(
        [python, *words], capture_output=True, check=False, cwd=folder, env=own
    )
    output, errors = completed.stdout.decode(), completed.stderr.decode()
    return subprocess.CompletedProcess(words, completed.returncode, output, errors)


@cache
def load_installer(project: Path) -> ModuleType:
    name = f"installer_{next(NUMBERS)}"  # the packages of several projects have the same name
    spec = spec_from_file_location(name, project / "installer" / "__init__.py")
    assert spec
    sys.modules[name] = module_from_spec(spec)
    return importlib.import_module(f"{name}.main")


def run_here(install: Installer, *arguments: str) -> "subprocess.CompletedProcess[str]":
    module = load_installer(install.project)
    module.files.read_file.cache_clear()
    output, errors = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), redirect_stderr(errors):
        patch.setenv("CLAUDE_CONFIG_DIR", str(install.config))
        patch.chdir(install.folder)
        patch.setattr("os.fsync", lambda _: None)
        patch.setattr("sys.argv", ["install.py", *arguments])
        code = module.main(install.project)
    return subprocess.CompletedProcess(arguments, code, output.getvalue(), errors.getvalue())


def check_by_hookwright(install: Installer, scope: str = "user") -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLAUDE_CONFIG_DIR", str(install.config))
        patch.chdir(install.folder)
        return [*map(str, check_installation(open_project(install.project), scope))]


def snapshot(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def pretend_installed(project: Path) -> None:
    hooks = Path.home() / ".claude" / "hooks" / "PreToolUse"
    hooks.mkdir(parents=True, exist_ok=True)
    for hook in (project / "hooks").glob("*.py"):
        shutil.copy(hook, hooks)
