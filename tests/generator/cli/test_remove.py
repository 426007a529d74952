"""Records and databases are removed by name; an unknown name removes nothing."""

from pathlib import Path

import pytest

from hookwright.documentation import setup
from hookwright.documentation.proof import Question
from hookwright.project.reader import open_project
from hookwright_documentation.databases import list_names

from ...support.acme_documentation import PREFIX, write_site
from ...support.command_line import CommandLine
from ...support.database_setup import set_up
from ...support.project import ROUTES, render


@pytest.fixture
def line(set_up_line: CommandLine) -> CommandLine:
    return set_up_line


@pytest.fixture
def project(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(setup, "prove_server", lambda *_: Question("a b c", PREFIX))
    return line.folder / "my hooks"


def test_unknown_name_with_the_last_record_is_rejected(line: CommandLine, project: Path) -> None:
    cases = [(("acme", "nosuch"), "--dry-run"), (("nosuch", "acme"), "--yes")]
    for names, how in cases:
        output = line.error("remove", *names, how, "--project", project)
        assert output.startswith("hookwright: no record named 'nosuch'")
        assert list_names() == ["acme"]
    line.output("remove", "acme", "--yes", "--project", project)
    for names, how in cases:
        output = line.error("remove", *names, how, "--project", project)
        assert output.startswith("hookwright: no record named 'nosuch'")


def test_second_uninstall_does_nothing(line: CommandLine, project: Path) -> None:
    line.output("remove", "acme", "--yes", "--project", project)
    for how in ("--dry-run", "--yes"):
        output = line.output("remove", "acme", how, "--project", project)
        assert output.startswith(
            "my-hooks keeps the record of acme, disabled, because a project needs at least one"
        )


def test_status_without_databases_is_reported(line: CommandLine, project: Path) -> None:
    line.output("remove", "acme", "--yes", "--project", project)
    errors = line.run("status", "--project", project).errors
    assert errors == (
        "hookwright: my-hooks is not installed and has no database left: "
        f"run hookwright setup, or delete {project}\n"
    )


def test_removed_record_denies_nothing(line: CommandLine, project: Path) -> None:
    line.output("remove", "acme", "--yes", "--project", project)
    line.output("install", "--yes", "--project", project)
    assert "Allowed by" in line.output("try", "acme session", "--project", project)
    assert "disabled" in line.output("list", "--project", project)
    completed = line.run("setup", "beta", "site", "--prefix", PREFIX, "--yes", "--project", project)
    assert (
        "my-hooks: removed the record of acme, whose database no longer exists\n"
        in completed.errors
    )
    assert "acme" not in line.output("list", "--project", project)


def test_setup_enables_a_disabled_record(line: CommandLine, project: Path) -> None:
    line.output("disable", "acme", "--yes", "--project", project)
    completed = line.run("setup", "acme", "--yes", "--project", project)
    assert completed.code == 0
    assert "my-hooks: enabled acme again\n" in completed.errors
    assert "Denied by" in line.output("try", "acme session", "--project", project)


def test_database_is_removed_from_its_project(
    line: CommandLine, project: Path, template: Path, tmp_path: Path
) -> None:
    other = render(template, tmp_path / "other", project_name="other", routes=ROUTES)
    line.output("install", "--project", other, "--yes")
    completed = line.run("remove", "acme", "--yes")
    assert f"the project is my-hooks in {project}\n" in completed.errors
    assert (completed.code, list_names()) == (0, [])


def test_removal_from_an_uninstalled_project_ends_there(
    line: CommandLine, template: Path, tmp_path: Path
) -> None:
    other = render(template, tmp_path / "other", project_name="other", routes=ROUTES)
    output = line.output("remove", "linear", "--yes", "--project", other)
    assert "Remove linear: done" in output
    assert "hookwright install" not in output


def test_record_of_an_uninstalled_project_is_disabled(line: CommandLine, project: Path) -> None:
    line.output("uninstall", "--project", project, "--yes")
    place = project.rename(Path.home() / "my-hooks")
    output = line.output("remove", "acme", "--yes")
    assert "my-hooks keeps the record of acme, disabled" in output
    assert list_names() == []
    assert open_project(place).rendered_databases == []


def test_database_without_a_record_is_removed_with_another(
    line: CommandLine, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(line, monkeypatch, "beta", "other")
    output = line.output("remove", "beta", "acme", "--dry-run", "--project", project)
    assert "would uninstall my-hooks, which contains only acme\n" in output
    assert "would delete the database beta\n" in output
    line.output("remove", "beta", "acme", "--yes", "--project", project)
    assert list_names() == []


def test_dry_run_lists_deletions(line: CommandLine, project: Path) -> None:
    write_site(line.folder / "other")
    line.output("setup", "beta", "other", "--prefix", PREFIX, "--yes", "--project", project)
    output = line.output("remove", "beta", "--dry-run", "--project", project)
    assert "would delete the database beta\n" in output
    assert sorted(list_names()) == ["acme", "beta"]
