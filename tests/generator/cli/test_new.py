"""`hookwright new` creates a project from an answers file, or fails with a one-line error."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from hookwright.cli.new import find_free
from hookwright.template.store import find_kept_template, keep_template

from ...support.command_line import CommandLine
from ...support.fake_editor import ChooseEditor
from ...support.git_repository import git, start_project, update, write_data
from ...support.installer import snapshot
from ...support.project import GITLAB, KUBERNETES, ROOT, ROUTES, URL, fetch_event, run_hook
from ...support.rendered_project import assert_same, build_tables, read_answers, read_tables

BOTH: dict[str, Any] = {"databases": [GITLAB, KUBERNETES], "routes": ROUTES}


def test_answers_file_creates_a_committed_project(
    hookwright_line: CommandLine, tmp_path: Path
) -> None:
    data = write_data(tmp_path, **BOTH)
    output = hookwright_line.output("new", "ours", "--data-file", data)
    project = hookwright_line.folder / "ours"
    assert output.splitlines()[:2] == [
        f"made {project}",
        "committed it to git",
    ]
    assert f"cd {project}" in output
    assert_same(
        project, start_project(keep_template(), tmp_path / "fresh", project_name="ours", **BOTH)
    )
    assert git(project, "log", "--format=%s") == "Render ours\n"
    assert git(project, "status", "--porcelain") == ""


def test_yaml_is_parsed_as_in_copier(hookwright_line: CommandLine, tmp_path: Path) -> None:
    data = tmp_path / "data.yml"
    data.write_text("_commit: v1\nproject_name: ours\nhooks: [lesson_search]\ntop_k: 5\n")
    hookwright_line.output("new", "ours", "--data-file", data)
    assert read_answers(hookwright_line.folder / "ours")["top_k"] == 5


@pytest.mark.long
def test_created_project_can_be_updated_by_copier(
    hookwright_line: CommandLine, tmp_path: Path
) -> None:
    hookwright_line.output("new", "ours", "--data-file", write_data(tmp_path, **BOTH))
    project = hookwright_line.folder / "ours"
    assert read_answers(project)["_src_path"] == str(find_kept_template())
    update(project, "--defaults", "--data", "retry_window=60")
    assert read_tables(project) == build_tables([GITLAB, KUBERNETES], 60)


def test_other_template_is_supported(
    hookwright_line: CommandLine, tmp_path: Path, repository: Path
) -> None:
    source = os.path.relpath(repository, hookwright_line.folder)
    data = write_data(tmp_path, **BOTH)
    hookwright_line.output("new", "ours", "--data-file", data, "--template", source)
    answers = read_answers(hookwright_line.folder / "ours")
    assert (answers["_src_path"], answers["_commit"]) == (str(repository), "1.0.0")
    assert not find_kept_template().exists()


def test_template_with_uncommitted_changes_is_rejected(
    hookwright_line: CommandLine, tmp_path: Path, repository: Path
) -> None:
    git(repository, "tag", "--delete", "1.0.0")
    (repository / "untracked").touch()
    words = ("--data-file", write_data(tmp_path, **BOTH), "--template", repository)
    line = hookwright_line.error("new", "ours", *words)
    assert line.startswith(f"hookwright: {repository} has uncommitted changes, ")
    assert not (hookwright_line.folder / "ours").exists()


@pytest.mark.long
def test_template_may_be_a_url(
    hookwright_line: CommandLine, tmp_path: Path, repository: Path
) -> None:
    source = f"git+file://{repository}"
    data = write_data(tmp_path, **BOTH)
    hookwright_line.output("new", "ours", "--data-file", data, "--template", source)
    assert read_answers(hookwright_line.folder / "ours")["_src_path"] == source


def test_hooks_are_installed_on_request(hookwright_line: CommandLine, tmp_path: Path) -> None:
    data = write_data(tmp_path, routes=ROUTES)
    output = hookwright_line.output("new", "ours", "--data-file", data, "--install")
    assert ".claude/settings.json" in output
    assert "hookwright doctor" in output
    hook = Path.home() / ".claude" / "hooks" / "PreToolUse" / "tool_routing-ours.py"
    assert run_hook(hook, fetch_event(URL), tmp_path / "config").denied


def test_template_installer_is_not_run(
    hookwright_line: CommandLine, tmp_path: Path, repository: Path
) -> None:
    settings = Path.home() / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"model": "opus"}')
    (repository / "template" / "install.py").write_text("raise SystemExit('it ran')")
    git(repository, "commit", "-qam", "Bring another installer")
    git(repository, "tag", "1.0.1")
    data = write_data(tmp_path, routes=ROUTES)
    words = ("--data-file", data, "--template", str(repository), "--install")
    output = hookwright_line.output("new", "ours", *words)
    assert "wrote ~/.claude/settings.json\n" in output
    assert settings.with_name("settings.json.before-hookwright").exists()


def test_routes_with_missing_commands_are_reported(
    hookwright_line: CommandLine, tmp_path: Path
) -> None:
    routes = {"pulls": {**ROUTES["github-pr"], "requires": "no-such-command"}}
    data = write_data(tmp_path, routes=routes)
    completed = hookwright_line.run("new", "ours", "--data-file", data)
    assert completed.code == 0
    assert completed.errors == (
        "hookwright: no-such-command is missing, so the hook skips pulls: install no-such-command\n"
    )


def test_routes_with_missing_servers_are_reported(
    hookwright_line: CommandLine, tmp_path: Path
) -> None:
    route = {"pattern": "x[.]org", "message": "Call mcp__x__get, or mcp__x__list."}
    completed = hookwright_line.run(
        "new", "a", "--data-file", write_data(tmp_path, routes={"x": route})
    )
    missing = "hookwright: mcp__x__get: the server x is not configured: run claude mcp add x "
    assert (completed.code, completed.errors.count("\n")) == (0, 1)
    assert completed.errors.startswith(missing)


def test_nothing_is_installed_without_confirmation(
    hookwright_line: CommandLine, tmp_path: Path
) -> None:
    output = hookwright_line.output("new", "ours", "--data-file", write_data(tmp_path, **BOTH))
    assert "hookwright install && hookwright doctor" in output
    assert not (Path.home() / ".claude").exists()


def test_project_may_be_left_uncommitted(hookwright_line: CommandLine, tmp_path: Path) -> None:
    data = write_data(tmp_path, **BOTH)
    hookwright_line.output("new", "ours", "--data-file", data, "--no-commit")
    assert not (hookwright_line.folder / "ours" / ".git").exists()


def test_missing_git_is_reported(
    hookwright_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    completed = hookwright_line.run("new", "ours", "--data-file", write_data(tmp_path, **BOTH))
    assert completed.code == 0
    assert completed.errors.startswith(
        "hookwright: git is missing: to update the project later, "
        "install git and run git init there\n"
    )
    assert read_tables(hookwright_line.folder / "ours") == build_tables([GITLAB, KUBERNETES])


def test_missing_identity_is_reported(
    hookwright_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    config = [("user.useConfigOnly", "true")]
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(config)))
    monkeypatch.setenv("GIT_CONFIG_KEY_0", config[0][0])
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", config[0][1])
    completed = hookwright_line.run("new", "ours", "--data-file", write_data(tmp_path, **BOTH))
    assert completed.code == 0
    line = completed.errors.splitlines()[0]
    assert line.startswith("hookwright: the project is not committed: git var")
    assert line.endswith(
        ": set git config user.name and user.email; "
        f"then run git add . && git commit in {hookwright_line.folder / 'ours'}"
    )
    assert read_tables(hookwright_line.folder / "ours") == build_tables([GITLAB, KUBERNETES])


@pytest.mark.usefixtures("impatient", "kept_template")
def test_invalid_file_is_rejected_in_one_line(hookwright_line: CommandLine, tmp_path: Path) -> None:
    for text, said in [
        ("", "has no answers: write them like databases: [...]"),
        ("databases: [", "data.yml: line 1: this is not YAML ("),
        ("a: 1\nb: x\x1b[31m", "data.yml: line 2: YAML cannot hold U+001B: remove it"),
        ("a: 2026-12-31T23:59:60Z", "line 1: this is not YAML (a date cannot be read"),
        ("[" * 2_000, "lists are nested too deeply: flatten them"),
        ("routes: {a: {pattern: x}, a: {pattern: y}}", "line 1: duplicate key a: remove one"),
        ("zoo: []", "data.yml: zoo is not a question: the questions are project_name, hooks, "),
        ("databasse: []", "databasse is not a question: did you mean databases?"),
        (
            "hooks: [lesson_search]\nroutes: {a: {pattern: x, message: m}}",
            "data.yml: routes is there, but hooks has no tool_routing: add that, or take",
        ),
        ("hooks: [docsearch]", "databases is missing: add it, or remove the hook that needs it"),
        (
            "databases: [{keywords: [5], path: p, mcp_tool_name: t, description: d}]",
            "databases[0]: keywords[0] is 5, not text: put it in quotes",
        ),
        (
            "routes: {pr: {pattern: '(a+)+$', message: m}}",
            'routes.pr: pattern is "(a+)+$": can backtrack without end',
        ),
        ("retry_window: soon", "retry_window is "),
    ]:
        data = tmp_path / "data.yml"
        data.write_text(text)
        line = hookwright_line.error("new", "ours", "--data-file", data)
        assert said in line
        assert list(hookwright_line.folder.iterdir()) == []


def test_unreadable_file_is_rejected(hookwright_line: CommandLine, tmp_path: Path) -> None:
    odd = tmp_path / "odd"
    odd.write_bytes(b"\xff")
    for path, message in (
        (tmp_path / "gone", "gone cannot be read: No such file or directory: check the path"),
        (tmp_path, "cannot be read: Is a directory"),
        (odd, "odd is not UTF-8: save it as UTF-8"),
    ):
        assert message in hookwright_line.error("new", "ours", "--data-file", path)


@pytest.mark.parametrize(
    ("dest", "said"),
    [
        ("full", "full is not empty: choose an empty or a new folder"),
        ("full/file", "file is not a folder: choose another"),
        ("full/file/ours", "file is not a folder: choose another"),
        ("link", "link is not a folder: choose another"),
    ],
)
def test_existing_folder_is_rejected(
    hookwright_line: CommandLine, tmp_path: Path, dest: str, said: str
) -> None:
    (hookwright_line.folder / "full").mkdir()
    (hookwright_line.folder / "full" / "file").write_text("mine")
    (hookwright_line.folder / "link").symlink_to("nowhere")
    before = snapshot(hookwright_line.folder)
    data = write_data(tmp_path, **BOTH)
    assert said in hookwright_line.error("new", dest, "--data-file", data)
    assert snapshot(hookwright_line.folder) == before
    assert not find_kept_template().exists()


def test_path_may_contain_a_missing_parent(hookwright_line: CommandLine, tmp_path: Path) -> None:
    data = write_data(tmp_path, **BOTH)
    output = hookwright_line.output("new", "gone/../ours", "--data-file", data)
    assert f"made {hookwright_line.folder / 'ours'}\n" in output


def test_misuse_is_reported(hookwright_line: CommandLine) -> None:
    for words, said in [
        ([], "cannot prompt without a terminal: add DEST and --data-file"),
        (["ours", "--quick"], "cannot prompt without a terminal: add --yes"),
        (["ours", "--quick", "--data-file", "x"], "use either --quick or --data-file"),
        (["ours"], "cannot prompt without a terminal: add --data-file"),
        (["--data-file", "x"], "cannot prompt without a terminal: add DEST"),
        (["ours", "--data-file"], "requires an argument"),
        (["ours", "theirs"], "unexpected extra argument"),
    ]:
        assert said in hookwright_line.error("new", *words, code=2)


def test_invalid_template_is_rejected(hookwright_line: CommandLine, tmp_path: Path) -> None:
    data = write_data(tmp_path, **BOTH)
    for source, message in (
        (tmp_path, f"not a template: {tmp_path / 'copier.yml'} is missing (choose another"),
        ("nope", "/work/nope: use a folder with copier.yml, or a git URL"),
        ("https://127.0.0.1:1/none.git", "cannot fetch the template: "),
    ):
        line = hookwright_line.error("new", "ours", "--data-file", data, "--template", source)
        assert message in line
    assert not (hookwright_line.folder / "ours").exists()


@pytest.mark.long
def test_quick_project_asks_no_questions(hookwright_line: CommandLine) -> None:
    old = ROOT / "examples" / "docsearch-config.json"
    shutil.copy(old, hookwright_line.folder)
    completed = hookwright_line.run("new", "--quick", "--yes")
    assert completed.code == 0, completed
    project = hookwright_line.folder / "my-hooks"
    assert read_answers(project)["databases"] == json.loads(old.read_text())["databases"]
    assert "gitlab: /Users/viktor/.leann/databases/gitlab does not exist" in completed.errors


def test_empty_quick_project_is_rejected(
    hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(hookwright_line.folder))
    assert (
        "nothing on this machine to make a project from: hookwright setup NAME makes"
        in hookwright_line.error("new", "--quick", "--yes")
    )


@pytest.mark.long
def test_lessons_only_project_accepts_record_blocks(
    hookwright_line: CommandLine, tmp_path: Path
) -> None:
    data = write_data(tmp_path, hooks=["lesson_search"], record_blocks=True)
    hookwright_line.output("new", "ours", "--data-file", data)
    assert "blocks.tsv" not in (hookwright_line.folder / "ours" / "README.md").read_text()


def test_free_folder_is_proposed(hookwright_line: CommandLine) -> None:
    assert find_free() == "my-hooks"
    for name in ("my-hooks", "my-hooks-2"):
        (hookwright_line.folder / name / "something").mkdir(parents=True)
    assert find_free() == "my-hooks-3"


def test_name_of_an_installed_project_is_reported(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path
) -> None:
    hookwright_line.output("install", "--project", kept, "--yes")
    assert find_free() == "my-hooks-2"
    completed = hookwright_line.run("new", "my-hooks", "--data-file", write_data(tmp_path, **BOTH))
    line = f"another project my-hooks is installed, from {kept}: choose another name"
    assert completed.errors.splitlines()[0] == f"hookwright: {line}"
    assert "  hookwright install && hookwright doctor\n" in completed.output


def test_renovate_needs_a_published_template(
    hookwright_line: CommandLine, tmp_path: Path, choose_editor: ChooseEditor
) -> None:
    routes = {"pulls": ROUTES["github-pr"]}
    data = write_data(tmp_path, routes=routes, renovate=True)
    completed = hookwright_line.run("new", "ours", "--data-file", data)
    ours = hookwright_line.folder / "ours"
    expected = (
        f"hookwright: Renovate cannot read the template {find_kept_template()}: use one at a git "
        f"URL, or set renovate to false (hookwright edit --project {ours})\n"
    )
    assert (completed.code, completed.errors) == (0, expected)
    choose_editor("project_name: ours", "project_name: mine")
    edited = hookwright_line.run("edit", "--project", "ours", "--yes", "--dry-run")
    assert (edited.code, edited.errors) == (0, expected)
