"""A command applies to the project in the current folder, or to the only installed project."""

import json
import shutil
from pathlib import Path

import pytest

from ...support.client_settings import furnish_config
from ...support.command_line import CommandLine
from ...support.project import GITLAB, render
from ...support.pseudo_terminal import ENTER, open_terminal
from ...support.rendered_project import read_answers

OTHERS = "# By Copier\n_commit: v1.2\n_src_path: gh:acme/python-template\nproject_name: app\n"


@pytest.fixture
def installed(hookwright_line: CommandLine, both: Path) -> Path:
    furnish_config("{}")
    hookwright_line.output("install", "--project", both, "--yes")
    return both


@pytest.mark.usefixtures("installed")
def test_only_installed_project_is_used(hookwright_line: CommandLine) -> None:
    for words, printed in (
        (["list"], "gitlab"),
        (["status"], "current"),
        (["try", "gitlab runner cache"], "Denied by docsearch:"),
        (["disable", "gitlab", "--dry-run"], "+ disabled: true"),
        (["uninstall", "--dry-run"], "docsearch"),
    ):
        completed = hookwright_line.run(*words)
        assert completed.code == 0, completed
        assert printed in completed.output
        assert "the project is" not in completed.errors


def test_project_in_the_current_folder_takes_precedence(
    hookwright_line: CommandLine, installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(installed, tmp_path / "copy")
    monkeypatch.chdir(copy)
    hookwright_line.folder = copy
    assert hookwright_line.run("list").errors == ""


@pytest.fixture
def other_project(
    hookwright_line: CommandLine, installed: Path, template: Path, tmp_path: Path
) -> Path:
    assert installed
    databases = [{**GITLAB, "keywords": ["acme"]}, GITLAB]
    project = render(template, tmp_path / "other", project_name="other", databases=databases)
    hookwright_line.output("install", "--project", project, "--yes")
    return project


def test_all_installed_projects_are_shown(
    hookwright_line: CommandLine, installed: Path, other_project: Path
) -> None:
    for words, printed in (
        (["list"], ["my-hooks in ", "other in ", "acme"]),
        (["status"], ["my-hooks (", "other (", "): current"]),
        (["try", "acme"], ["Allowed by docsearch (my-hooks):", "Denied by docsearch (other):"]),
        (["try", "--prompt", "how do I find it"], ["my-hooks and other do not have lesson_search"]),
    ):
        output = hookwright_line.output(*words)
        assert [line for line in printed if line not in output] == []
    first, second = hookwright_line.run("stats").errors.splitlines()
    assert first.endswith(f"for my-hooks: run hookwright stats --record --project {installed}")
    assert second.endswith(f"for other: run hookwright stats --record --project {other_project}")
    (_, listed) = json.loads(hookwright_line.output("list", "--json"))["projects"]
    assert (listed["folder"], listed["databases"][1]) == (str(other_project), GITLAB)
    assert len(json.loads(hookwright_line.output("try", "gitlab", "--json"))["hooks"]) == 2


def test_damaged_project_does_not_stop_the_others(
    hookwright_line: CommandLine, installed: Path, other_project: Path
) -> None:
    path = other_project / ".copier-answers.yml"
    path.write_text("{")
    fault = f"other: {path} is damaged: restore it from git"
    for words, printed in (
        (["list"], "gitlab"),
        (["status"], "my-hooks, installed from"),
        (["try", "gitlab runner"], "Denied by docsearch:"),
        (["stats"], "0 blocks in 30 days"),
        (["disable", "gitlab", "--dry-run"], "+ disabled: true"),
    ):
        completed = hookwright_line.run(*words)
        assert completed.code == 0, completed
        assert printed in completed.output
        assert completed.errors.startswith(f"hookwright: {fault}\n")
    completed = hookwright_line.run("doctor", "--no-start")
    assert completed.code == 1
    assert completed.output.startswith(f"my-hooks in {installed}:\n")
    assert f"x  installed     {fault}\n" in completed.output
    hookwright_line.output("uninstall", "--project", other_project, "--yes")
    assert hookwright_line.run("list").errors == ""


def test_calls_from_a_file_are_tried_on_all_projects(
    hookwright_line: CommandLine, other_project: Path
) -> None:
    assert other_project
    (hookwright_line.folder / "calls.txt").write_text("acme\n")
    completed = hookwright_line.run("try", "--corpus", "calls.txt", "--expect", "deny", "--json")
    rows = json.loads(completed.output)["projects"]
    assert [(row["project"], row["does"]["deny"]) for row in rows] == [
        ("my-hooks", 0),
        ("other", 1),
    ]
    assert completed.code == 0


def test_change_applies_to_the_project_with_the_record(
    hookwright_line: CommandLine, installed: Path, other_project: Path
) -> None:
    completed = hookwright_line.run("disable", "acme", "--dry-run")
    assert (completed.code, completed.errors) == (
        0,
        f"hookwright: the project is other in {other_project}\n",
    )
    for words in (["disable", "gitlab"], ["edit"], ["add", "route", "x", "--pattern", "y"]):
        options = ["--message", "z"] * (len(words) > 2)
        assert hookwright_line.error(*words, *options, code=2) == (
            f"hookwright: my-hooks ({installed}) and other ({other_project}) are installed: "
            "choose one with --project DIR"
        )
    assert hookwright_line.error("disable", "x").endswith(
        "no record x in my-hooks and other: hookwright list shows them"
    )


@pytest.mark.usefixtures("other_project")
@pytest.mark.parametrize("words", ["add lessons", "install", "uninstall", "remove gitlab"])
def test_yes_does_not_choose_a_project(tmp_path: Path, words: str) -> None:
    with open_terminal(*words.split(), "--yes", folder=tmp_path) as terminal:
        terminal.see("are installed: choose one with --project DIR")
        assert terminal.end() == 2


@pytest.mark.long
@pytest.mark.usefixtures("other_project")
def test_project_is_chosen_at_a_terminal(tmp_path: Path) -> None:
    with open_terminal("disable", "gitlab", "--dry-run", folder=tmp_path) as terminal:
        terminal.answer("Which project?", "2" + ENTER)
        terminal.see("+ disabled: true")
        assert terminal.end() == 0


def test_folder_of_another_template_is_not_a_project(hookwright_line: CommandLine) -> None:
    path = hookwright_line.folder / ".copier-answers.yml"
    path.write_text(OTHERS)
    for words in (["list"], ["disable", "x"], ["try", "x"]):
        assert hookwright_line.error(*words) == (
            f"hookwright: not a Hookwright project: {path} is of another Copier template "
            "(use --project, or create one: hookwright new)"
        )


def test_project_is_not_its_own_template(hookwright_line: CommandLine, both: Path) -> None:
    folder = Path(shutil.copytree(both, hookwright_line.folder / "own"))
    answers = {**read_answers(folder), "_src_path": f"{folder}/template"}
    (folder / ".copier-answers.yml").write_text(json.dumps(answers))
    assert "is in the project itself" in hookwright_line.error("list", "--project", folder)


def test_doctor_checks_a_folder_of_another_template(hookwright_line: CommandLine) -> None:
    (hookwright_line.folder / ".copier-answers.yml").write_text(OTHERS)
    completed = hookwright_line.run("doctor", "--no-start", "--json")
    assert json.loads(completed.output)


def test_installed_project_is_used_in_a_foreign_folder(
    hookwright_line: CommandLine, installed: Path
) -> None:
    (hookwright_line.folder / ".copier-answers.yml").write_text(OTHERS)
    assert f"my-hooks, installed from {installed}\n" in hookwright_line.output("status")
