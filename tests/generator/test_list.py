"""`hookwright list` shows the records, and a shell completes their names."""

import json
from pathlib import Path

import pytest

from command_line import CommandLine
from project import GITLAB, KUBERNETES, ROUTES


def test_records_are_listed(hookwright_line: CommandLine, both: Path) -> None:
    """Each database has its keywords and its tool, each route its tool and its message."""
    output = hookwright_line.tell("list", "--project", both)
    lines = [" ".join(line.split()) for line in output.splitlines()]
    assert (
        "gitlab gitlab, gl, gitlab-ci mcp__leann__search GitLab documentation from docs.gitlab.com"
        in lines
    )
    assert (
        "linear WebFetch block Call: mcp__proxy__retrieve_tools Query: 'linear issue project'"
        in (lines)
    )


def test_records_are_listed_for_scripts(hookwright_line: CommandLine, both: Path) -> None:
    """JSON has the records as they were answered."""
    output = hookwright_line.tell("list", "--json", "--project", both)
    assert json.loads(output) == {"databases": [GITLAB, KUBERNETES], "routes": ROUTES}


def test_project_without_records_says_so(hookwright_line: CommandLine, lessons: Path) -> None:
    """A project of the lesson hook alone has none."""
    output = hookwright_line.tell("list", "--project", lessons)
    assert output == "my-hooks has no records: its hooks are lesson_search\n"


def test_folder_that_is_no_project_is_told(hookwright_line: CommandLine) -> None:
    """Where there is no project, the line says how to get or to name one."""
    line = hookwright_line.complain("list")
    assert line == (
        f"hookwright: {hookwright_line.folder} is no project of ours, for it has no "
        ".copier-answers.yml: name one with --project, or make one with hookwright new"
    )


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "\\xff", "a: [", '{"project_name": 5}', "[" * 100_000]
)
def test_answers_that_are_none_are_told(hookwright_line: CommandLine, text: str) -> None:
    """A broken answers file is one line, whatever it holds."""
    path = hookwright_line.folder / ".copier-answers.yml"
    path.write_bytes(text.encode("latin-1"))
    line = hookwright_line.complain("list")
    assert line == f"hookwright: {path} holds no answers of ours: take it back from git"


def test_names_are_completed(
    hookwright_line: CommandLine,
    both: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A shell that asks how a name goes on gets the records of the project."""
    monkeypatch.setenv("_HOOKWRIGHT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"hookwright remove --project {both} li")
    monkeypatch.setenv("COMP_CWORD", "4")
    with pytest.raises(SystemExit, match="0"):
        hookwright_line.run()
    assert capsys.readouterr().out.split() == ["linear"]


def test_misuse_is_told_in_a_line(hookwright_line: CommandLine) -> None:
    """An option that there is not is exit code 2."""
    line = hookwright_line.complain("list", "--nonsense", code=2)
    assert line == "hookwright: No such option: --nonsense"


def test_without_words_the_help_is_shown(hookwright_line: CommandLine) -> None:
    """Who only types the name sees what there is to do, in lines, and has done nothing."""
    ended = hookwright_line.run()
    assert (ended.code, ended.output) == (2, "")
    assert ended.errors.startswith("Usage: hookwright [OPTIONS] COMMAND [ARGS]...\n\n  Send")
