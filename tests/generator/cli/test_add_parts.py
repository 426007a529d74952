"""`hookwright add lessons`, `add hook` and `add client` extend a project."""

from pathlib import Path

import pytest

from hookwright import lesson_server
from hookwright_console.network.server_address import find_data_folder, open_lock, write_address

from ...support.command_line import CommandLine
from ...support.git_repository import write_data
from ...support.rendered_project import read_answers


def test_lessons_extend_the_project(hookwright_line: CommandLine, kept: Path) -> None:
    output = hookwright_line.output("add", "lessons", "--yes", "--project", kept)
    assert "Add lesson_search: done" in output
    answers = read_answers(kept)
    assert answers["hooks"][-1] == "lesson_search"
    assert answers["lesson_server_url"] == "http://127.0.0.1:7731"
    assert (kept / "hooks" / "lesson_search.py").is_file()
    assert "already has lesson_search" in hookwright_line.error(
        "add", "hook", "lesson_search", "--project", kept
    )


def test_lessons_without_a_server_are_reported(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lesson_server, "find_spec", lambda _: None)
    data = write_data(hookwright_line.folder, hooks=["lesson_search"])
    for words in ("add", "lessons", "--yes", "--project", kept), ("new", "x", "--data-file", data):
        (line,) = hookwright_line.run(*words).errors.splitlines()
        lacks = "the lesson server is missing because the extra [server] is not installed: run "
        assert lacks in line


def test_lessons_without_a_project_create_one(hookwright_line: CommandLine) -> None:
    project = Path.home() / "my-hooks"
    url = ("--url", "http://127.0.0.1:7800")
    assert "would make ~/my-hooks" in hookwright_line.output("add", "lessons", "--dry-run")
    assert not project.exists()
    assert "made ~/my-hooks; next: hookwright install" in hookwright_line.output(
        "add", "lessons", *url, "--yes"
    )
    assert read_answers(project)["lesson_server_url"] == url[1]
    assert "already has lesson_search" in hookwright_line.error("add", "lessons", "--yes")


def test_lessons_use_the_running_server(hookwright_line: CommandLine, kept: Path) -> None:
    folder = find_data_folder()
    folder.mkdir(parents=True)
    url = "http://127.0.0.1:9123"
    with open_lock(folder):
        write_address(folder, url)
        output = hookwright_line.output("add", "lessons", "--dry-run", "--project", kept)
    assert f"+   - lesson_search\n+ lesson_server_url: {url}\n" in output


def test_client_extends_the_project(hookwright_line: CommandLine, kept: Path) -> None:
    output = hookwright_line.output("add", "client", "gemini", "--yes", "--project", kept)
    install = f"hookwright install --client gemini --project {kept}"
    assert output.endswith(f"to install the hooks there, run {install}\n")
    assert read_answers(kept)["clients"] == ["claude", "gemini"]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (
            ["hook", "docsearch"],
            1,
            "docsearch comes with its first record: run hookwright add database",
        ),
        (["hook", "none"], 2, "choose from docsearch, tool_routing, lesson_search"),
        (["client", "none"], 2, "choose from claude, codex, "),
        (["lessons", "--url", "x"], 2, "lesson_server_url is"),
    ],
)
def test_refusals_suggest_a_fix(
    hookwright_line: CommandLine, kept: Path, words: list[str], code: int, told: str
) -> None:
    assert told in hookwright_line.error("add", *words, "--project", kept, code=code)


def test_help_lists_only_hooks_that_can_be_added(hookwright_line: CommandLine) -> None:
    text = hookwright_line.output("add", "hook", "--help")
    assert "{docsearch|tool_routing|lesson_search}" in text
