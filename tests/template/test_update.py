"""`copier update` applies changes in the answers and the template to a project."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest
from copier import run_update
from copier.errors import UserMessageError

from ..support.git_repository import (
    call_copier,
    edit,
    git,
    git_save,
    run_copier,
    update,
    write_data,
)
from ..support.project import GITLAB, KUBERNETES, ROUTES, render
from ..support.rendered_project import (
    TEXTS,
    assert_same,
    assert_silent,
    build_database,
    build_tables,
    read_answers,
    read_files,
    read_tables,
)

TERRAFORM = {
    "keywords": ["terraform", "tf"],
    "path": "/home/me/.leann/indexes/terraform",
    "mcp_tool_name": "mcp__leann__search",
    "description": "Terraform documentation",
}
TYPED = """\
- keywords: [terraform, tf]
  path: /home/me/.leann/indexes/terraform
  mcp_tool_name: mcp__leann__search
  description: Terraform documentation"""
ODD = [build_database(text) for text in TEXTS]


def release(repository: Path) -> None:
    edit(repository / "generator" / "runtime" / "event.py", '"hookwright:"', '"hookwright 1.1:"')
    git_save(repository, "1.1.0")


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [
        ["--defaults", "--data-file", "../answers.yml"],
        ["--defaults", "--data", f"databases={json.dumps([GITLAB, KUBERNETES, TERRAFORM])}"],
    ],
    ids=["file", "data"],
)
def test_database_is_added_without_a_terminal(
    started: Path, tmp_path: Path, options: list[str]
) -> None:
    databases = [GITLAB, KUBERNETES, TERRAFORM]
    write_data(tmp_path, databases=databases)
    update(started, *options)
    assert read_tables(started) == build_tables(databases)
    assert read_answers(started)["databases"] == databases


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:This process.*forkpty:DeprecationWarning")
def test_database_is_added_in_the_editor(started: Path) -> None:
    # The editor indents a new line like the previous one, so the cursor is still inside that
    # record.
    keys = "\r\b\b" + TYPED.replace("\n", "\r").replace("\r  ", "\r").replace("\r", "\r  ", 1)
    with pexpect.spawn(
        sys.executable,
        ["-m", "copier", "update", "--defaults", "--ask", "databases", str(started)],
        encoding="utf-8",
        env={**os.environ, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"},
        dimensions=(60, 120),
    ) as terminal:
        terminal.expect_exact("Which documentation databases do you have?")
        terminal.expect_exact(KUBERNETES["path"])
        terminal.send(keys)
        terminal.expect_exact("Terraform documentation")
        terminal.send("\x1b\r")  # Alt+Enter
        terminal.expect(pexpect.EOF)
    assert terminal.exitstatus == 0, terminal.before
    assert read_tables(started) == build_tables([GITLAB, KUBERNETES, TERRAFORM])


@pytest.mark.long
@pytest.mark.parametrize(
    "changed",
    [
        {"databases": ODD, "mcp_servers": {"leann": {"command": '{{ "\\" }}'}}},
        {"project_name": "our-hooks", "mcp_servers": {}},
        {"databases": [KUBERNETES]},
        {"databases": [KUBERNETES, TERRAFORM], "retry_window": 60},
    ],
    ids=["odd", "no-servers", "fewer", "other"],
)
def test_updated_project_equals_a_fresh_one(
    repository: Path, started: Path, tmp_path: Path, changed: dict[str, Any]
) -> None:
    update(started, "--skip-answered", "--data-file", write_data(tmp_path, **changed))
    answers = {"databases": [GITLAB, KUBERNETES], **changed}
    assert_same(started, render(repository, tmp_path / "fresh", **answers))


@pytest.mark.long
def test_newer_template_reaches_the_project(repository: Path, started: Path) -> None:
    before = read_answers(started)
    release(repository)
    update(started, "--defaults")
    assert 'print("hookwright 1.1:", line' in (started / "hooks" / "docsearch.py").read_text()
    assert read_tables(started) == build_tables([GITLAB, KUBERNETES])
    assert read_answers(started) == {**before, "_commit": "1.1.0"}


@pytest.mark.long
def test_version_can_be_pinned(repository: Path, started: Path) -> None:
    release(repository)
    update(started, "--defaults", "--vcs-ref", ":current:", "--data", "retry_window=60")
    assert read_tables(started) == build_tables([GITLAB, KUBERNETES], 60)
    assert read_answers(started)["_commit"] == "1.0.0"


def test_unrelated_edits_survive(repository: Path, started: Path) -> None:
    readme, hook = started / "README.md", started / "hooks" / "docsearch.py"
    edit(
        hook,
        "    answer_event(decide, print_decision, [], allow_repeated_search)\n",
        "    answer_event(decide, print_decision, [], allow_repeated_search)  # mine\n",
    )
    edit(readme, "# my-hooks\n", "# my-hooks\n\nMy own notes.\n")
    git_save(started)
    release(repository)
    update(started, "--defaults", "--data", f"databases={json.dumps([TERRAFORM])}")
    code = hook.read_text("utf-8")
    assert "answer_event(decide, print_decision, [], allow_repeated_search)  # mine" in code
    assert "My own notes." in readme.read_text("utf-8")
    assert "hookwright 1.1:" in code
    assert read_answers(started)["_commit"] == "1.1.0"
    assert read_tables(started) == build_tables([TERRAFORM])


def test_project_with_changes_is_rejected(started: Path) -> None:
    edit(started / "README.md", "# my-hooks\n", "# Mine\n")
    before = read_files(started)
    with pytest.raises(UserMessageError, match="dirty"):
        run_update(started, data={"retry_window": 60}, defaults=True)
    assert read_files(started) == before


@pytest.mark.long
def test_edited_answers_file_changes_nothing(started: Path) -> None:
    """Copier treats an edited answers file as answered already, so the hook never sees the edit."""
    edit(started / ".copier-answers.yml", '"retry_window": 300', '"retry_window": 60')
    git_save(started)
    assert_silent(update(started, "--defaults"))
    assert git(started, "status", "--porcelain") == ""
    assert read_answers(started)["retry_window"] == 60
    assert read_tables(started).retry_window == 300


@pytest.mark.long
def test_messages_include_the_next_step(repository: Path, tmp_path: Path) -> None:
    destination = tmp_path / "new-hooks"
    data = f"databases={json.dumps([GITLAB])}"
    copied = run_copier("copy", "--defaults", "--data", data, repository, destination)
    assert f"Your hooks are rendered: {destination}\n" in copied.stderr
    git_save(destination)
    again = run_copier("recopy", "--defaults", "--overwrite", cwd=destination)
    assert f"Your hooks are rendered: {destination}\n" in again.stderr
    assert "python3 install.py" in copied.stderr
    assert "python3 install.py" in update(destination, "--defaults")


def test_commands_required_by_routes_are_listed(repository: Path, tmp_path: Path) -> None:
    needing = {name: {**route, "requires": "no-such"} for name, route in ROUTES.items()}
    data = f"routes={json.dumps({**needing, 'github-pr': ROUTES['github-pr']})}"
    clients = ("--data", "clients=[claude, codex, qwen]")
    words = ("copy", "--defaults", "--data", data, *clients, repository, tmp_path / "new-hooks")
    output = call_copier(tmp_path, *words).partition("Your hooks are rendered")[2]
    assert "Yours require: no-such\n" in output
    assert [line for line in output.splitlines()[1:] if len(line) > 80] == []


@pytest.mark.long
def test_recopy_uses_manually_edited_answers(started: Path) -> None:
    edit(started / ".copier-answers.yml", '"kubectl"', '"kubectl", "helm"')
    git_save(started)
    completed = run_copier("recopy", "--defaults", "--overwrite", cwd=started)
    assert completed.returncode == 0, completed.stderr
    assert read_tables(started).keywords[1] == [*KUBERNETES["keywords"], "helm"]


@pytest.mark.long
def test_formerly_valid_tool_name_is_kept(repository: Path, tmp_path: Path) -> None:
    old = {**GITLAB, "mcp_tool_name": "mcp__leann_search"}
    check = repository / "generator" / "macros" / "check_databases.jinja"
    strict = check.read_text("utf-8")
    edit(check, "{% if tool not in tools and", "{% if false and")
    git_save(repository, "1.1.0")
    project = render(repository, tmp_path / "project", databases=[old])
    git_save(project)
    check.write_text(strict, "utf-8")
    git_save(repository, "2.0.0")
    completed = run_copier("update", "--defaults", cwd=project)
    assert completed.returncode == 0, completed.stderr
    assert 'databases[0]: mcp_tool_name is "mcp__leann_search": write mcp__' in completed.stderr
    assert read_answers(project)["databases"] == [old]
    git_save(project)
    data = f"databases={json.dumps([{**old, 'name': 'new'}])}"
    completed = run_copier("update", "--defaults", "--data", data, cwd=project)
    assert completed.returncode != 0
    assert read_answers(project)["databases"] == [old]
