"""`hookwright edit` reopens the user's editor with all answers until they are valid."""

import contextlib
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hookwright.answers.yaml_files import MisplacedError
from hookwright.project.answers_text import drop_refusal, place_refusal, read_edited, write_answers
from hookwright.project.reader import Project

from ...support.command_line import CommandLine, build_environment
from ...support.fake_editor import SEPARATOR, ChooseEditor
from ...support.git_repository import git
from ...support.hypothesis_profiles import examples, mark_long
from ...support.installer import snapshot
from ...support.project import GITLAB, KUBERNETES
from ...support.rendered_project import build_tables, read_answers, read_tables

PROJECT = Project(Path("/p"), {"project_name": "p", "hooks": ["docsearch"]}, "", "")
TEXTS = st.text() | st.text(alphabet="ab \n#>:-'\"{}|\t\x85")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
)


def edit(line: CommandLine, folder: Path) -> str:
    return line.output("edit", "--yes", "--project", folder)


def list_openings(seen: Path) -> list[str]:
    return seen.read_text("utf-8").split(f"{SEPARATOR}\n")[:-1]


def test_answers_are_edited(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    seen = choose_editor("      - kubectl", "      - kubectl\n      - helm")
    output = edit(hookwright_line, kept)
    assert "\n+   - helm\n" in output
    assert "\nEdit the answers: done, and committed\n" in output
    changed = {**KUBERNETES, "keywords": [*KUBERNETES["keywords"], "helm"]}
    assert read_answers(kept)["databases"] == [GITLAB, changed]
    assert read_tables(kept) == build_tables([GITLAB, changed])
    assert git(kept, "log", "--format=%s").splitlines()[0] == "Edit the answers"
    assert git(kept, "status", "--porcelain") == ""
    assert not list((seen.parent / "kept here").iterdir())


def test_editor_receives_yaml_with_a_schema(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    seen = choose_editor()
    assert edit(hookwright_line, kept) == "nothing changes\n"
    (text,) = list_openings(seen)
    first, *_ = text.splitlines()
    assert first.startswith("# yaml-language-server: $schema=file:///")
    assert "# A search that names one of a database's keywords" in text
    given = yaml.safe_load(text)
    assert given == {name: read_answers(kept)[name] for name in given}
    assert list(given)[:4] == ["project_name", "hooks", "clients", "databases"]


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("- k8s", "- on", "      - on", "databases[1]: keywords[1] is true, not text"),
        ("retry_window: 300", "retry_window: x", "retry_window: x", "enter a whole number"),
        ("linear:", "linear: [", "", "this is not YAML"),
        ("retry_window:", "retry:", "retry: 300", "retry is not a question"),
        ("fatigue_limit: 0\n", "", "hooks:", "fatigue_limit is missing"),
        ("- docsearch", "- websearch", "  - websearch", "choose from docsearch"),
    ],
)
def test_invalid_answer_is_reported_at_its_line(  # noqa: PLR0917 - four of them are data
    hookwright_line: CommandLine,
    choose_editor: ChooseEditor,
    kept: Path,
    old: str,
    new: str,
    place: str,
    words: str,
) -> None:
    before = snapshot(kept)
    seen = choose_editor(old, new)
    assert hookwright_line.run("edit", "--yes", "--project", kept).code == 1
    _, again = list_openings(seen)
    top, *lines = again.splitlines()
    assert top.startswith("# >>> line ")
    assert words in top
    number = int(top.split()[3].removesuffix(":"))
    assert words in lines[number - 3]
    assert lines[number - 2].startswith(place)
    assert snapshot(kept) == before


def test_invalid_pattern_is_marked_with_a_caret(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    pattern = r"linear\.app/[^/]+/issue"
    seen = choose_editor(f"'{pattern}'", r"'linear\.app/([^/]+/issue'")
    error = hookwright_line.run("edit", "--yes", "--project", kept).errors
    assert "routes.linear: pattern is" in error
    lines = list_openings(seen)[1].splitlines()
    at = lines.index(r"    pattern: 'linear\.app/([^/]+/issue'")
    assert lines[at - 1].lstrip().removeprefix("# >>> ").strip() == "^"
    assert lines[at - 2][lines[at - 1].index("^")] == "("


def test_abandoned_text_is_kept(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    before = snapshot(kept)
    seen = choose_editor("retry_window: 300", "retry_window: 0")
    completed = hookwright_line.run("edit", "--yes", "--project", kept)
    assert completed.code == 1
    where, error = completed.errors.splitlines()
    assert "retry_window is 0" in error
    text = Path(where.partition("saved in ")[2])
    assert "retry_window: 0" in text.read_text("utf-8")
    assert (text.parent / "schema.json").exists()
    assert text.is_relative_to(seen.parent)
    assert snapshot(kept) == before


@pytest.mark.parametrize("after_a_refusal", [False, True])
def test_emptied_text_changes_nothing(
    hookwright_line: CommandLine,
    kept: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    after_a_refusal: bool,
) -> None:
    before = snapshot(kept)
    script = tmp_path / "empty"
    spoil = f"test -e {tmp_path}/once || {{ touch {tmp_path}/once; echo 'x: 1' >> $1; exit; }}\n"
    script.write_text("#!/bin/sh\n" + (spoil if after_a_refusal else "") + ': > "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    completed = hookwright_line.run("edit", "--yes", "--project", kept)
    assert completed.code == 1
    assert ("x is not a question" in completed.errors) == after_a_refusal
    assert ("saved in" in completed.errors) == after_a_refusal
    assert snapshot(kept) == before


def test_failing_editor_changes_nothing(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(kept)
    monkeypatch.setenv("EDITOR", "false")
    line = hookwright_line.error("edit", "--yes", "--project", kept)
    assert "the editor 'false' failed with exit code 1: nothing changed" in line
    assert snapshot(kept) == before


def test_editor_is_not_opened_needlessly(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    seen = choose_editor()
    line = hookwright_line.error("edit", "--project", kept, code=2)
    assert "cannot prompt without a terminal: add --yes" in line
    (kept / "README.md").write_text("mine")
    line = hookwright_line.error("edit", "--yes", "--project", kept)
    assert "has uncommitted changes (README.md)" in line
    assert not seen.exists()


def test_answers_are_edited_without_git(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    shutil.rmtree(kept / ".git")
    choose_editor("retry_window: 300", "retry_window: 60")
    assert "\nEdit the answers: done\n" in edit(hookwright_line, kept)
    assert read_tables(kept) == build_tables([GITLAB, KUBERNETES], 60)


def test_uncommitted_project_keeps_the_edit(
    hookwright_line: CommandLine, choose_editor: ChooseEditor, kept: Path
) -> None:
    choose_editor("retry_window: 300", "retry_window: 60")
    hookwright_line.output("edit", "--yes", "--no-commit", "--project", kept)
    assert git(kept, "log", "--format=%s").splitlines() == ["Render my-hooks"]
    assert read_tables(kept) == build_tables([GITLAB, KUBERNETES], 60)


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("vim"), reason="needs vim")
@pytest.mark.parametrize("agreed", [False, *mark_long([True])], ids=["refused", "agreed"])
def test_answers_are_edited_in_a_real_editor(kept: Path, *, agreed: bool) -> None:
    before = snapshot(kept)
    environment = build_environment(TERM="xterm", EDITOR="vim -u NONE -i NONE -n")
    with pexpect.spawn(
        sys.executable,
        ["-m", "hookwright", "edit", "--project", str(kept)],
        encoding="utf-8",
        env=environment,
        dimensions=(40, 120),
        timeout=60,
    ) as terminal:
        terminal.expect_exact("The answers of your project")
        terminal.send(":%s/retry_window: 300/retry_window: never/\r:wq\r")
        terminal.expect_exact('retry_window is "never": enter a whole number')
        terminal.send(":%s/retry_window: never/retry_window: 60/\r:wq\r")
        terminal.expect_exact("as above? [Y/n]")
        terminal.send("y\r" if agreed else "n\r")
        terminal.expect(pexpect.EOF)
    if agreed:
        assert terminal.exitstatus == 0, terminal.before
        assert read_tables(kept) == build_tables([GITLAB, KUBERNETES], 60)
    else:
        assert terminal.exitstatus == 1
        assert "your text is saved in" in (terminal.before or "")
        assert snapshot(kept) == before


@settings(max_examples=examples(30))
@given(st.dictionaries(st.text(min_size=1) | st.sampled_from(["databases", "routes"]), VALUES))
@example({"routes": "x\n\n", "retry_window": "y\n"})
def test_text_contains_the_exact_answers(answers: dict[str, Any]) -> None:
    project = Project(Path("/p"), answers, "", "")
    text = write_answers(project, Path("/s.json"))
    assert (yaml.safe_load(text) or {}) == answers
    assert drop_refusal(text) == text


@settings(max_examples=examples(200))
@given(TEXTS, st.integers(0, 50), st.text())
def test_error_comment_is_removed_again(text: str, line: int, message: str) -> None:
    text = drop_refusal(text)
    commented = place_refusal(text, MisplacedError(message, line, "a\n", "^"))
    assert drop_refusal(commented) == text


@settings(max_examples=examples(100))
@given(
    st.dictionaries(st.sampled_from(["hooks", "databases", "routes", "retry_window", "x"]), VALUES)
)
def test_any_answers_are_accepted_or_rejected(answers: dict[str, Any]) -> None:
    with contextlib.suppress(MisplacedError):
        read_edited(json.dumps({"project_name": "p", **answers}), PROJECT)
