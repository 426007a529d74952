"""`hookwright sync` applies catalogue changes without losing the user's changes."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hookwright.catalogues.catalogue import PINS, change_records, key_records
from hookwright.project.reader import Project
from hookwright.template.store import find_kept_template

from ...support.command_line import CommandLine, run_hookwright
from ...support.git_repository import copy_repository, git, git_save, update
from ...support.installer import snapshot
from ...support.project import ROUTES
from ...support.rendered_project import read_answers

GIST = {"pattern": r"gist\.github\.com/(?P<id>\w+)", "message": "Run: gh gist view {id}"}
PASTE = {"pattern": "pastebin", "message": "Ask the user for the text."}
NEW = {"pattern": "example", "message": "There is nothing there."}
OTHER = "Run: gh gist view {id} --raw"


class Shared:
    """A catalogue from which a project has imported all records."""

    def __init__(self, path: Path, folder: Path, line: CommandLine) -> None:
        self.path = path
        self.folder = folder
        self._line = line
        self.write(gist=GIST, paste=PASTE)

    def write(self, **routes: Any) -> None:
        self.path.write_text(json.dumps({"routes": routes}), "utf-8")

    def sync(self, *words: str, code: int = 0) -> str:
        completed = self._line.run("sync", "--project", self.folder, "--yes", *words)
        assert completed.code == code, completed
        return completed.output + completed.errors

    def edit(self, name: str, message: str) -> None:
        routes = {**read_answers(self.folder)["routes"], name: {**GIST, "message": message}}
        update(self.folder, "--defaults", "--data", f"routes={json.dumps(routes)}")
        git_save(self.folder)

    def read_routes(self) -> dict[str, Any]:
        routes = read_answers(self.folder)["routes"]
        return {name: route for name, route in routes.items() if name not in ROUTES}


@pytest.fixture(scope="module")
def imported_project(
    kept_once: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    folder = tmp_path_factory.mktemp("taken")
    template = copy_repository(kept_once[0], find_kept_template())
    project = copy_repository(kept_once[1], folder / "my-hooks")
    catalogue = folder / "shared.yml"
    catalogue.write_text(json.dumps({"routes": {"gist": GIST, "paste": PASTE}}), "utf-8")
    words = ("add", "--from", catalogue, "--yes", "--project", project)
    ended = run_hookwright(*words, folder=folder)
    assert ended.code == 0, ended
    shutil.rmtree(template)
    return project


@pytest.fixture
def shared(
    imported_project: Path, kept_template: Path, tmp_path: Path, hookwright_line: CommandLine
) -> Shared:
    assert kept_template.exists()
    project = copy_repository(imported_project, tmp_path / "my-hooks")
    return Shared(imported_project.with_name("shared.yml"), project, hookwright_line)


@pytest.mark.long
def test_unchanged_catalogue_changes_nothing(shared: Shared) -> None:
    before = snapshot(shared.folder)
    assert shared.sync() == shared.sync("--check") == f"{shared.path}: up to date\n"
    assert snapshot(shared.folder) == before


def test_changes_are_applied(shared: Shared) -> None:
    changed = {**GIST, "message": OTHER}
    shared.write(new=NEW, gist=changed)
    output = shared.sync()
    assert "- message: 'Run: gh gist view {id}'" in output
    assert f"+ message: '{OTHER}'" in output
    assert "route new, new\n+ pattern: 'example'" in output
    gone = f"hookwright: route paste is no longer in {shared.path}: it stays until"
    assert gone in output
    assert shared.read_routes() == {"gist": changed, "paste": PASTE, "new": NEW}
    assert git(shared.folder, "log", "-1", "--format=%s").startswith("Import new, gist from ")
    assert git(shared.folder, "status", "--porcelain") == ""
    assert shared.sync().splitlines()[0] == f"{shared.path}: up to date"


def test_changes_are_only_shown_in_a_dry_run(shared: Shared) -> None:
    shared.write(gist={**GIST, "message": OTHER}, paste=PASTE)
    before = snapshot(shared.folder)
    assert f"+message: '{OTHER}'" in shared.sync("--check", code=1)
    assert snapshot(shared.folder) == before


@pytest.mark.long
def test_user_changes_are_kept(shared: Shared, hookwright_line: CommandLine) -> None:
    shared.edit("gist", "Mine.")
    edited = shared.read_routes()
    assert "up to date" in shared.sync(str(shared.path))
    theirs = {**GIST, "message": OTHER}
    shared.write(gist=theirs, paste=PASTE)
    for _ in range(2):
        output = shared.sync(str(shared.path))
        assert "route gist changed here and in" in output
        assert shared.read_routes() == edited
    words = ("--yes", "--project", shared.folder)
    hookwright_line.output("remove", "gist", *words)
    hookwright_line.output("add", "--from", shared.path, "--only", "gist", *words)
    assert shared.read_routes()["gist"] == theirs


@pytest.mark.long
def test_removed_record_does_not_return(shared: Shared, hookwright_line: CommandLine) -> None:
    hookwright_line.output("remove", "gist", "--yes", "--project", shared.folder)
    shared.write(gist=GIST, paste={**PASTE, "message": "Other."})
    shared.sync()
    assert list(shared.read_routes()) == ["paste"]


def test_user_record_of_the_same_name_is_kept(shared: Shared) -> None:
    shared.write(gist=GIST, paste=PASTE, linear=NEW)
    assert "route linear exists already, not from" in shared.sync()
    assert read_answers(shared.folder)["routes"]["linear"] == ROUTES["linear"]


@pytest.mark.long
def test_missing_source_is_reported(
    shared: Shared, hookwright_line: CommandLine, tmp_path: Path
) -> None:
    other = tmp_path / "other.yml"
    other.write_text(json.dumps({"routes": {"new": NEW}}), "utf-8")
    hookwright_line.output("add", "--from", other, "--yes", "--project", shared.folder)
    shared.path.unlink()
    other.write_text(json.dumps({"routes": {"new": {**NEW, "message": "Now."}}}), "utf-8")
    line = shared.sync(code=1)
    assert f"{shared.path} cannot be read: No such file or directory: check the path" in line
    assert f"; change or remove it in {PINS}" in line
    assert shared.read_routes()["new"]["message"] == "Now."


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("file:///etc/passwd", "file:///etc/passwd is not an https URL"),
        ("ftp://127.0.0.1/x.yml", "ftp://127.0.0.1/x.yml is not an https URL"),
        ("data:text/plain,routes:%20{}", "data:text/plain,routes:%20{} is not an https URL"),
        ("http://example.invalid/x.yml", "is not encrypted: use its https URL"),
        ("FILE:/etc/passwd", "is not an https URL"),
    ],
)
def test_pinned_source_is_verified(
    shared: Shared, monkeypatch: pytest.MonkeyPatch, source: str, words: str
) -> None:
    monkeypatch.setattr("hookwright.catalogues.catalogue.request", lambda _: b"")
    pins = json.loads((shared.folder / PINS).read_text("utf-8"))
    (shared.folder / PINS).write_text(json.dumps({source: pins[str(shared.path)]}), "utf-8")
    assert words in shared.sync("--check", code=1)


@pytest.mark.usefixtures("impatient")
def test_invalid_catalogue_changes_nothing(shared: Shared) -> None:
    shared.write(gist={**PASTE, "pattern": "(a+)+$"}, paste=PASTE)
    before = snapshot(shared.folder)
    assert "can backtrack without end" in shared.sync(code=1)
    assert snapshot(shared.folder) == before


def test_impossible_sync_is_rejected(
    hookwright_line: CommandLine, shared: Shared, tmp_path: Path
) -> None:
    line = hookwright_line.error("sync", tmp_path / "none.yml", "--project", shared.folder)
    assert "no record comes from" in line
    (shared.folder / PINS).write_text("{]")
    line = hookwright_line.error("sync", "--project", shared.folder)
    assert "is damaged: restore it from git" in line


def test_disabled_record_still_belongs_to_the_catalogue() -> None:
    answers = {"hooks": ["tool_routing"], "routes": {"gist": {**GIST, "disabled": True}}}
    project = Project(Path("/nowhere"), answers, "", "")
    assert key_records(project.answers) == {("routes", "gist"): GIST}
    newer = {**GIST, "message": OTHER}
    assert change_records(project, {("routes", "gist"): newer}).routes == {
        "gist": {**newer, "disabled": True}
    }
