"""Texts are edited in the user's editor until they are valid, and are never lost."""

import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from ...support.command_line import CommandLine
from ...support.fake_editor import ChooseEditor
from ...support.lesson_server_process import LessonServer

LESSON = b'{"id": "a/b", "text": "A docker tag moves.", "categories": ["devops/docker"]}'
CHANGER = """
import pathlib, sys, urllib.request
path = pathlib.Path(sys.argv[3])
path.write_text(path.read_text("utf-8").replace("tag", "label"), "utf-8")
body = b'{"categories": ["devops"]}' if sys.argv[2] == "PUT" else None
headers = {"Content-Type": "application/json"}
request = urllib.request.Request(sys.argv[1], body, headers, method=sys.argv[2])
urllib.request.urlopen(request)
"""
BREAKER = """
import pathlib, sys
counted, path = map(pathlib.Path, sys.argv[1:])
counted.open("a").write("x")
assert len(counted.read_text()) < 10
text = path.read_text("utf-8")
path.write_text(text.replace("development/frontend:", "development/frontend: [a"), "utf-8")
"""
LENGTHENER = """
import pathlib, sys
counted, path = map(pathlib.Path, sys.argv[1:])
counted.open("a").write("x")
assert len(counted.read_text()) < 10
path.write_text(path.read_text("utf-8").replace("categories:", "x: ") + "more", "utf-8")
"""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prepared") / "data"


@pytest.fixture
def filled(command_line: CommandLine, prepared: Path) -> CommandLine:
    if not prepared.exists():
        command_line.output("ingest", "-", given=LESSON)
        shutil.copytree(command_line.folder, prepared)
    else:
        shutil.copytree(prepared, command_line.folder)
    return command_line


def list_kept(tmp_path: Path) -> list[str]:
    return [path.read_text("utf-8") for path in (tmp_path / "kept here").iterdir()]


def test_text_can_be_edited(
    filled: CommandLine, choose_editor: ChooseEditor, tmp_path: Path
) -> None:
    seen = choose_editor("tag", "label")
    assert filled.output("edit", "a/b") == "saved\n"
    assert seen.read_text() == (
        "---\ncategories: [devops/docker]\nproject: \n---\nA docker tag moves.\n" + "=" * 9 + "\n"
    )
    shown = filled.output("show", "a/b")
    assert "A docker label moves." in shown
    assert "devops/docker" in shown
    assert list_kept(tmp_path) == []


def test_categories_can_be_edited(filled: CommandLine, choose_editor: ChooseEditor) -> None:
    choose_editor("[devops/docker]", "\n- a/b\n- c")
    filled.output("edit", "a/b")
    assert "categories: a/b, c\n" in filled.output("show", "a/b")


def test_project_can_be_edited(filled: CommandLine, choose_editor: ChooseEditor) -> None:
    choose_editor("project:", "project: git@h.example:a/b.git")
    filled.output("edit", "a/b")
    assert "project: h.example/a/b\n" in filled.output("show", "a/b")
    choose_editor("project: h.example/a/b", "project:")
    filled.output("edit", "a/b")
    assert "project" not in filled.output("show", "a/b")


def test_unchanged_text_is_not_saved(filled: CommandLine, choose_editor: ChooseEditor) -> None:
    before = filled.output("export")
    choose_editor()
    assert filled.output("edit", "a/b") == "no change\n"
    assert filled.output("export") == before


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("[devops/docker]", "[A b]", "such as devops/ci-cd, got 'A b'"),
        ("---\ncategories:", "categories:", "no front matter"),
        ("categories:", "kategories:", "unknown field 'kategories'"),
        ("A docker tag moves.", "\x07", "control character"),
        ("A docker tag moves.", "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2, "or add --force"),
    ],
)
def test_rejected_text_is_reopened(
    filled: CommandLine, choose_editor: ChooseEditor, old: str, new: str, reason: str
) -> None:
    seen = choose_editor(old, new, *((new, old) if new else ("---\n\n", f"---\n{old}\n")))
    assert filled.output("edit", "a/b") == "no change\n"
    assert "# refused: " not in seen.read_text().split("=" * 9)[0]
    assert reason in seen.read_text().split("=" * 9)[1].partition("# refused: ")[2]


def test_rejected_text_is_not_lost(
    filled: CommandLine, choose_editor: ChooseEditor, tmp_path: Path
) -> None:
    before = filled.output("export")
    choose_editor("[devops/docker]", "[A b]")
    completed = filled.run("edit", "a/b")
    assert (completed.code, completed.output) == (1, "")
    note, error = completed.errors.splitlines()
    assert str(tmp_path / "kept here") in note
    assert "such as devops/ci-cd, got 'A b'" in error
    assert "[A b]" in list_kept(tmp_path)[0]
    assert filled.output("export") == before


@pytest.mark.parametrize(
    ("method", "why"),
    [("DELETE", "no lesson has the id 'a/b'"), ("PUT", "a/b changed meanwhile: look at it")],
)
def test_text_survives_what_happens_meanwhile(
    command_line: CommandLine,
    served: LessonServer,
    choose_editor: ChooseEditor,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    *,
    method: str,
    why: str,
) -> None:
    command_line.output("ingest", "-", "--data", served.folder, given=LESSON)
    choose_editor()
    address = f"{served.url}/api/lessons/a%2Fb"
    monkeypatch.setenv("VISUAL", shlex.join([sys.executable, "-c", CHANGER, address, method]))
    completed = command_line.run("edit", "a/b", "--data", served.folder)
    assert (completed.code, completed.output) == (1, "")
    assert why in completed.errors.splitlines()[-1]
    assert "A docker label moves." in list_kept(tmp_path)[0]


@pytest.mark.parametrize(
    ("editor", "part"),
    [
        ("no-such-editor --wait", "no-such-editor --wait': No such file"),
        ("'unclosed", "unclosed': No closing quotation"),
        ("false", "failed with exit code 1"),
    ],
)
def test_failing_editor_is_reported(
    filled: CommandLine, monkeypatch: pytest.MonkeyPatch, editor: str, part: str
) -> None:
    monkeypatch.setenv("EDITOR", editor)
    assert part in filled.error("edit", "a/b")


def test_editor_is_not_run_in_a_shell(
    filled: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EDITOR", f"true; touch {tmp_path / 'touched'}")
    filled.error("edit", "a/b")
    assert not (tmp_path / "touched").exists()


def test_taxonomy_can_be_edited(command_line: CommandLine, choose_editor: ChooseEditor) -> None:
    taxonomy = command_line.folder / "taxonomy.yml"
    choose_editor()
    assert command_line.output("categories", "--edit") == "no change\n"
    assert not taxonomy.exists()
    choose_editor("team/", "ours/")
    assert "apply it with lesson-search recategorize" in command_line.output("categories", "--edit")
    assert "ours/conventions:" in taxonomy.read_text("utf-8")
    seen = choose_editor("ours/", "theirs/")
    command_line.output("categories", "--edit")
    assert "ours/conventions:" in seen.read_text("utf-8")
    assert "theirs/conventions:" in taxonomy.read_text("utf-8")


def test_invalid_taxonomy_is_not_installed(
    command_line: CommandLine, choose_editor: ChooseEditor, tmp_path: Path
) -> None:
    seen = choose_editor("development/frontend:\n", "Development/frontend:\n")
    completed = command_line.run("categories", "--edit")
    assert completed.code == 1
    assert "category 'Development/frontend' is not a path" in completed.errors
    again = seen.read_text("utf-8").split("=" * 9)[1].lstrip("\n").split("\n")
    assert again[0].startswith("# refused: taxonomy.yml:")
    line = int(again[0].split(":")[2])
    assert again[line - 1] == "Development/frontend:"
    assert not (command_line.folder / "taxonomy.yml").exists()
    assert "Development/frontend:" in list_kept(tmp_path)[0]


def test_unclosed_bracket_is_reported_in_one_line(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    counted = tmp_path / "times"
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, "-c", BREAKER, str(counted)]))
    completed = command_line.run("categories", "--edit")
    assert (completed.code, completed.output) == (1, "")
    assert counted.read_text() == "xx"
    note, error = completed.errors.splitlines()
    assert note.startswith("lesson-search: your text is saved in ")
    assert re.match(r"lesson-search: taxonomy\.yml:\d+: not valid YAML \(expected ',' or", error)
    assert "unicode string" not in error
    assert error.endswith("): check the brackets and quotes")


def test_script_that_repeats_a_mistake_stops(
    filled: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    counted = tmp_path / "times"
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, "-c", LENGTHENER, str(counted)]))
    assert "unknown field 'x'" in filled.run("edit", "a/b").errors
    assert counted.read_text() == "xx"
