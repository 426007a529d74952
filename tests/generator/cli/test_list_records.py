"""`hookwright list` shows the records, and shell completion offers their names."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ...support.command_line import CommandLine, build_environment
from ...support.hypothesis_profiles import mark_long
from ...support.project import GITLAB, KUBERNETES, ROUTES, render


def test_records_are_listed(hookwright_line: CommandLine, both: Path) -> None:
    output = hookwright_line.output("list", "--project", both)
    lines = [" ".join(line.split()) for line in output.splitlines()]
    assert (
        "gitlab gitlab, gl, gitlab-ci mcp__leann__search GitLab documentation from docs.gitlab.com"
        in lines
    )
    assert f"linear WebFetch block {ROUTES['linear']['pattern']}" in lines


def test_records_are_listed_as_json(hookwright_line: CommandLine, both: Path) -> None:
    output = hookwright_line.output("list", "--json", "--project", both)
    assert json.loads(output) == {"databases": [GITLAB, KUBERNETES], "routes": ROUTES}


def test_long_pattern_is_shortened_to_the_line(
    hookwright_line: CommandLine, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    route = {"pattern": "docs[.]acme/" * 9, "message": "Ask gh."}
    project = render(template, tmp_path / "ours", routes={"gh": route})
    monkeypatch.setattr("tests.support.command_line.COLUMNS", "40")
    last = hookwright_line.output("list", "--project", project).splitlines()[-1]
    assert last == "gh     WebFetch  block  docs[.]acme/doc…"


def test_project_without_records_is_reported(hookwright_line: CommandLine, lessons: Path) -> None:
    output = hookwright_line.output("list", "--project", lessons)
    assert output == "my-hooks has no records: its hooks are lesson_search\n"


def test_folder_without_a_project_is_reported(hookwright_line: CommandLine) -> None:
    assert hookwright_line.error("list") == (
        "hookwright: no hooks are installed: create a project with hookwright setup or "
        "hookwright new, or use --project DIR"
    )


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "\\xff", "a: [", '{"project_name": 5}', "[" * 100_000]
)
def test_invalid_answers_are_reported(hookwright_line: CommandLine, text: str) -> None:
    path = hookwright_line.folder / ".copier-answers.yml"
    path.write_bytes(text.encode("latin-1"))
    line = hookwright_line.error("list")
    assert line == f"hookwright: {path} is damaged: restore it from git"


def test_malformed_answers_are_reported(hookwright_line: CommandLine) -> None:
    path = hookwright_line.folder / ".copier-answers.yml"
    malformed: list[dict[str, Any]] = [
        {"project_name": ["a"]},
        {"hooks": 5},
        {"hooks": [1]},
        {"databases": 5},
        {"databases": [5]},
        {"databases": [{}]},
        {"databases": [{"keywords": []}]},
        {"databases": [{"keywords": ["x"]}]},
        {"routes": [1]},
        {"routes": {"x": 1}},
        {"routes": {"x": {"tool": 5}}},
        {"routes": {"x": {"message": ["a"]}}},
        {"routes": {"x": {"action": {}}}},
        {"mcp_servers": {"leann": 5}},
    ]
    for answers in malformed:
        path.write_text(json.dumps({"project_name": "x", "hooks": ["docsearch"], **answers}))
        for words in ("list", "try gitlab", "doctor --no-start", "stats", "remove x"):
            line = hookwright_line.error(*words.split())
            assert line == f"hookwright: {path} is damaged: restore it from git", (words, answers)


@pytest.mark.parametrize("closed", [">&- 2>&-", *mark_long([">&-", "2>&-"])])
def test_closed_output_pipe_is_handled(both: Path, closed: str) -> None:
    command = f'exec "$0" -m hookwright list --project "$1" {closed}'
    completed = subprocess.run(
        ["/bin/sh", "-c", command, sys.executable, both],
        env=build_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (completed.returncode, completed.stderr) == (0, "")


def test_names_are_completed(
    hookwright_line: CommandLine,
    both: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("_HOOKWRIGHT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"hookwright remove --project {both} li")
    monkeypatch.setenv("COMP_CWORD", "4")
    with pytest.raises(SystemExit, match="0"):
        hookwright_line.run()
    assert capsys.readouterr().out.split() == ["linear"]


def test_misuse_is_reported_in_one_line(hookwright_line: CommandLine) -> None:
    line = hookwright_line.error("list", "--nonsense", code=2)
    assert line == "hookwright: unknown option --nonsense: see hookwright list --help"


def test_help_is_shown_without_arguments(hookwright_line: CommandLine) -> None:
    completed = hookwright_line.run()
    assert (completed.code, completed.output) == (2, "")
    assert completed.errors.startswith("Usage: hookwright [OPTIONS] COMMAND [ARGS]...\n\n  Create")


def test_deleted_folder_is_reported(hookwright_line: CommandLine) -> None:
    hookwright_line.folder.rmdir()
    line = hookwright_line.error("list")
    assert line == "hookwright: the current folder no longer exists: change to another"
