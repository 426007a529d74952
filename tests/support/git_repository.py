"""Build template repositories and projects in git, and run Copier on them."""

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

from copier._cli import CopierApp
from plumbum import local

from .command_line import HOOKWRIGHT
from .project import copy_template, render


def git(repo: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments],  # noqa: S607 - the git of whoever runs the tests
        cwd=repo,
        capture_output=True,
        check=True,
        text=True,
    ).stdout


def git_save(repo: Path, tag: str | None = None) -> None:
    """Commit everything in a folder, creating a repository if needed, with an optional tag."""
    if not (repo / ".git").exists():
        git(repo, "init", "--quiet")
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "--message", tag or "Save")
    if tag:
        git(repo, "tag", tag)


def build_repository(folder: Path, tag: str = "1.0.0") -> Path:
    copy_template(folder)
    git_save(folder, tag)
    git(folder, "gc", "--quiet")  # Copier clones the repository five times per update
    return folder


def copy_repository(
    repository: Path, destination: Path, copy: Callable[[str, str], object] = shutil.copy2
) -> Path:
    shutil.copytree(repository, destination, symlinks=True, copy_function=copy)
    git(destination, "update-index", "-q", "--refresh")
    return destination


def copy_or_link(source: str, destination: str) -> None:
    """Link a file that nobody changes, which is ten times as fast as a copy."""
    if "/.git/" in source:
        shutil.copy2(source, destination)
    else:
        os.link(source, destination)


def start_project(repository: Path, destination: Path, **answers: Any) -> Path:
    render(repository, destination, **answers)
    git_save(destination)
    return destination


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(before) == 1, f"{path} holds {before!r} {text.count(before)} times"
    path.write_text(text.replace(before, after), "utf-8")


def run_copier(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run Copier's command line in a fork of an interpreter that has imported it."""
    words = [str(Path(sys.executable).with_name("copier")), *map(str, arguments)]
    completed = HOOKWRIGHT.run(words, b"", os.environ, cwd)
    assert completed
    output, errors = completed.stdout.decode(), completed.stderr.decode()
    return subprocess.CompletedProcess(words, completed.returncode, output, errors)


def write_data(tmp_path: Path, **answers: Any) -> Path:
    path = tmp_path / "answers.yml"
    path.write_text(json.dumps(answers, ensure_ascii=False), "utf-8")
    return path


def update(project: Path, *arguments: str | Path) -> str:
    """Run `copier update` in a project, in this process; assert success and return the output."""
    return call_copier(project, "update", *arguments)


def call_copier(folder: Path, *arguments: str | Path) -> str:
    """Run Copier's command line in a folder, in this process; assert success, return the output."""
    words = ["copier", *map(str, arguments)]
    with local.cwd(folder), redirect_stderr(io.StringIO()) as output:
        _, code = CopierApp.run(words, exit=False)
    assert code == 0, output.getvalue()
    return output.getvalue()
