"""Fixtures for the command tests."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import hookwright.cli.main

from ...support.acme_documentation import PREFIX, write_site
from ...support.command_line import CommandLine, run_hookwright


@pytest.fixture
def line(hookwright_line: CommandLine) -> CommandLine:
    write_site(hookwright_line.folder / "site")
    return hookwright_line


@pytest.fixture(scope="session")
def set_up_once(_home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a folder with a database set up for a new project, and the files that tests copy."""
    folder = tmp_path_factory.mktemp("set_up")
    work = folder / "work"
    write_site(work / "site")
    words = ("setup", "acme", "site", "--prefix", PREFIX, "--yes", "--project", work / "my hooks")
    ended = run_hookwright(*words, folder=work)
    assert ended.code == 0, ended
    shutil.copytree(_home, folder / "home", symlinks=True)
    return work, work.rename(folder / "kept")


@pytest.fixture
def set_up_line(
    set_up_once: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[CommandLine]:
    """Yield a command line in the folder of the project `my-hooks`, whose only record is acme."""
    work, files = set_up_once
    shutil.copytree(files, work, symlinks=True)
    shutil.copytree(files.with_name("home"), Path.home(), symlinks=True, dirs_exist_ok=True)
    monkeypatch.chdir(work)
    yield CommandLine(work, hookwright.cli.main.run, ["hookwright"], monkeypatch, capsys)
    shutil.rmtree(work)
