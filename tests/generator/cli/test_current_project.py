"""A command is for the project here, or else for the only one that is installed."""

import json
import shutil
from pathlib import Path

import pytest

from ...support.client_settings import furnish_config
from ...support.command_line import CommandLine
from ...support.project import ROUTES, render

OTHERS = "# By Copier\n_commit: v1.2\n_src_path: gh:acme/python-template\nproject_name: app\n"


@pytest.fixture
def installed(hookwright_line: CommandLine, both: Path) -> Path:
    furnish_config("{}")
    hookwright_line.tell("install", "--project", both, "--yes")
    return both


def test_only_installed_project_is_taken(hookwright_line: CommandLine, installed: Path) -> None:
    for words, printed in (
        (["list"], "gitlab"),
        (["status"], "current"),
        (["try", "gitlab runner cache"], "docsearch denies it"),
        (["disable", "gitlab", "--dry-run"], "+ disabled: true"),
        (["uninstall", "--dry-run"], "docsearch"),
    ):
        ended = hookwright_line.run(*words)
        assert ended.code == 0, ended
        assert printed in ended.output
        assert f"hookwright: the project is my-hooks in {installed}\n" in ended.errors


def test_project_here_comes_first(
    hookwright_line: CommandLine, installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(installed, tmp_path / "copy")
    monkeypatch.chdir(copy)
    hookwright_line.folder = copy
    assert hookwright_line.run("list").errors == ""


def test_several_installed_projects_are_named(
    hookwright_line: CommandLine, installed: Path, template: Path, tmp_path: Path
) -> None:
    other = render(template, tmp_path / "other", project_name="other", routes=ROUTES)
    hookwright_line.tell("install", "--project", other, "--yes")
    line = hookwright_line.complain("list")
    assert line == (
        f"hookwright: my-hooks ({installed}) and other ({other}) are installed: "
        "choose one with --project DIR"
    )


def test_folder_of_another_template_is_no_project(hookwright_line: CommandLine) -> None:
    path = hookwright_line.folder / ".copier-answers.yml"
    path.write_text(OTHERS)
    for words in (["list"], ["disable", "x"], ["try", "x"]):
        assert hookwright_line.complain(*words) == (
            f"hookwright: not a Hookwright project: {path} is of another Copier template "
            "(use --project, or make one: hookwright new)"
        )


def test_doctor_checks_a_folder_of_another_template(hookwright_line: CommandLine) -> None:
    (hookwright_line.folder / ".copier-answers.yml").write_text(OTHERS)
    ended = hookwright_line.run("doctor", "--no-start", "--json")
    assert json.loads(ended.output)


def test_installed_project_is_taken_there(hookwright_line: CommandLine, installed: Path) -> None:
    (hookwright_line.folder / ".copier-answers.yml").write_text(OTHERS)
    assert f"my-hooks in {installed}" in hookwright_line.run("list").errors
