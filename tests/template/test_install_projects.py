"""Several projects can be installed side by side without affecting each other."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import copier
import pytest

from ..support.installer import Installer, run_here, snapshot
from ..support.project import GITLAB, ROUTES, render, run_hook, search_event
from ..support.rendered_project import read_answers, read_files

DIGEST = "0123456789abcdef"
STARTS = [None, "{}", '{"hooks": {"PreToolUse": [] ,"Stop":[]},\t"model": "é"}', '{"a": 1}\r\n']
NAMES = ("a", "a-b")
HOOKS = ("docsearch", "tool_routing", "lesson_search")


def render_all_hooks(template: Path, folder: Path, **answers: object) -> Path:
    defaults = {"databases": [GITLAB], "routes": ROUTES, "hooks": list(HOOKS), **answers}
    return render(template, folder, **{"project_name": folder.name, **defaults})


@pytest.fixture(scope="module")
def projects(template: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("projects")
    return [render_all_hooks(template, folder / name) for name in NAMES]


@pytest.fixture
def pair(projects: list[Path], install: Installer) -> list[Installer]:
    return [replace(install, project=project) for project in projects]


def list_memory(name: str) -> list[str]:
    return [
        f"docsearch-state-{name}-s_1-{DIGEST}.json",
        f"tool_routing-state-{name}--{DIGEST}.json",
        f"tool_routing-blocks-state-{name}-s_1-{DIGEST}",
    ]


def test_hooks_are_independent_of_the_project_name(projects: list[Path]) -> None:
    files = [read_files(project) for project in projects]
    for hook in HOOKS:
        assert len({texts[f"hooks/{hook}.py"] for texts in files}) == 1
    assert files[0]["hooks/hooks.json"] == files[1]["hooks/hooks.json"]
    assert files[0]["settings.json"] == files[1]["settings.json"]
    assert b"docsearch.py" in files[0]["settings.json"]


@pytest.mark.parametrize(
    ("text", "orders"), list(zip(STARTS, [(1, 1), (1, -1), (-1, 1), (-1, -1)], strict=True))
)
def test_any_order_restores_the_initial_state(
    pair: list[Installer], text: str | None, orders: tuple[int, int]
) -> None:
    config = pair[0].config
    if text is not None:
        pair[0].settings.write_bytes(text.encode())
    before = snapshot(config)
    for project in pair[:: orders[0]]:
        assert run_here(project).returncode == 0
    for project in pair:
        assert run_here(project, "--check").stdout == "all is well\n"
        assert run_here(project).stdout == "nothing to change\n"
    first, last = pair[:: orders[1]]
    assert run_here(first, "--uninstall").returncode == 0
    assert run_here(last, "--check").stdout == "all is well\n"
    assert not [path for path in snapshot(config) if f"-{first.name}." in path]
    assert run_here(last, "--uninstall").returncode == 0
    assert snapshot(config) == before


@pytest.mark.parametrize("number", [0, 1])
def test_uninstall_keeps_the_memory_of_other_projects(pair: list[Installer], number: int) -> None:
    for project in pair:
        run_here(project)
    hooks = pair[0].config / "hooks"
    records = ["docsearch-blocks.tsv", "tool_routing-blocks.tsv.old"]
    for name in [*list_memory("a"), *list_memory("a-b"), *records]:
        (hooks / name).write_text("{}")
    run_here(pair[number], "--uninstall")
    left = {path.name for path in hooks.iterdir() if path.is_file()}
    other = pair[1 - number]
    assert left == {*list_memory(other.name), *records, other.record.name}
    run_here(other, "--uninstall")
    assert snapshot(pair[0].config) == {}


def test_both_projects_let_a_retry_through(pair: list[Installer]) -> None:
    for project in pair:
        run_here(project)
    event = search_event("gitlab")
    for denied in (True, False):
        for project in pair:
            assert run_hook(project.hook, event, project.config).denied is denied


def test_memory_of_other_projects_does_not_expire(pair: list[Installer]) -> None:
    for project in pair:
        run_here(project)
    hooks = pair[0].config / "hooks"
    for name in [*list_memory("a"), *list_memory("a-b"), f"docsearch-state-s-{DIGEST}.json"]:
        (hooks / name).write_text("{}")
        os.utime(hooks / name, (0, 0))
    before = set(hooks.iterdir())
    for project, name in zip(pair, NAMES, strict=True):
        start = {"session_id": "x", "hook_event_name": "SessionStart", "source": "startup"}
        assert run_hook(project.hook, start, project.config).silent
        before -= {hooks / list_memory(name)[0]}
        assert set(hooks.iterdir()) == before


def test_every_scope_accepts_both_projects(pair: list[Installer]) -> None:
    scopes = [("--scope", scope) for scope in ("project", "local")]
    for scope in scopes:
        for project in pair:
            assert run_here(project, *scope).returncode == 0
    for scope in scopes:
        for project in pair:
            assert run_here(project, "--uninstall", *scope).returncode == 0
    assert snapshot(pair[0].config) == snapshot(pair[0].folder) == {}


def test_changed_settings_keep_foreign_additions(pair: list[Installer]) -> None:
    pair[0].settings.write_text('{"model": "a"}')
    for project in pair:
        run_here(project)
    changed = {**json.loads(pair[0].settings.read_text()), "model": "b"}
    pair[0].settings.write_text(json.dumps(changed))
    for project in pair:
        assert run_here(project, "--uninstall").returncode == 0
    assert json.loads(pair[0].settings.read_text()) == {"model": "b"}
    assert set(snapshot(pair[0].config)) == {"settings.json"}


@pytest.fixture
def namesake(pair: list[Installer], tmp_path: Path) -> Installer:
    return replace(pair[0], project=Path(shutil.copytree(pair[0].project, tmp_path / "x" / "a")))


@pytest.mark.parametrize("arguments", [[], ["--uninstall"], ["--dry-run"]])
def test_namesake_is_rejected(
    pair: list[Installer], namesake: Installer, arguments: list[str]
) -> None:
    run_here(pair[0])
    before = snapshot(namesake.config)
    completed = run_here(namesake, *arguments)
    assert (completed.returncode, completed.stdout) == (1, "")
    message = f"install.py: a is installed from another folder, {pair[0].project}: "
    command = f"python3 {namesake.project}/install.py --scope user --take-over"
    ways = f"change project_name here, or run {command}"
    if "--uninstall" in arguments:
        ways = "uninstall it there, or add --take-over"
    assert completed.stderr == f"{message}{ways}\n"
    assert snapshot(namesake.config) == before


@pytest.mark.long
@pytest.mark.parametrize("text", STARTS)
@pytest.mark.parametrize("arguments", [[], ["--uninstall"]])
def test_renamed_project_removes_its_old_name(
    pair: list[Installer],
    template: Path,
    tmp_path: Path,
    text: str | None,
    arguments: list[str],
) -> None:
    if text is not None:
        pair[0].settings.write_bytes(text.encode())
    before = snapshot(pair[0].config)
    folder = tmp_path / "renamed" / "a-b"
    old = replace(pair[0], project=render_all_hooks(template, folder))
    run_here(pair[0])
    run_here(old)
    (old.config / "hooks" / list_memory("a-b")[0]).write_text("{}")
    shutil.rmtree(folder)
    render_all_hooks(template, folder, project_name="new")
    assert "docsearch-a-b.py is no longer needed: run" in run_here(old, "--check").stdout
    assert run_here(old, *arguments).returncode == 0
    assert not [path for path in snapshot(old.config) if "-a-b" in path]
    assert run_here(pair[0], "--check").stdout == "all is well\n"
    if not arguments:
        assert run_here(old, "--check").stdout == "all is well\n"
        run_here(old, "--uninstall")
    run_here(pair[0], "--uninstall")
    assert snapshot(pair[0].config) == before


def test_check_reports_a_namesake(pair: list[Installer], namesake: Installer) -> None:
    run_here(pair[0])
    [fault] = run_here(namesake, "--check").stdout.splitlines()
    assert fault.startswith(f"a is installed from another folder, {pair[0].project}: change")
    assert fault.endswith(" --take-over")


def test_take_over_replaces_a_namesake(pair: list[Installer], namesake: Installer) -> None:
    run_here(pair[0])
    hook = namesake.project / "hooks" / "docsearch.py"
    hook.write_bytes(hook.read_bytes() + b"# other\n")
    completed = run_here(namesake, "--take-over")
    assert completed.returncode == 0
    assert f"a was taken over from {pair[0].project}\n" in completed.stdout
    assert namesake.hook.read_bytes() == hook.read_bytes()
    assert run_here(namesake, "--check").stdout == "all is well\n"
    assert run_here(pair[0]).returncode == 1
    assert run_here(namesake, "--uninstall").returncode == 0
    assert snapshot(namesake.config) == {}


@pytest.mark.parametrize("is_renamed", [False, True])
def test_moved_project_keeps_working(
    template: Path, install: Installer, tmp_path: Path, *, is_renamed: bool
) -> None:
    old = replace(install, project=render_all_hooks(template, tmp_path / "old" / "a"))
    run_here(old)
    new = replace(old, project=Path(shutil.copytree(old.project, tmp_path / "new")))
    plugin = old.project / ".claude-plugin" / "plugin.json"
    plugin.write_text(plugin.read_text().replace('"a"', '"b"'))
    if not is_renamed:
        shutil.rmtree(old.project)
    note = f"a was moved here from {old.project}"
    assert run_here(new, "--check").stdout.startswith(f"{note}: run python3 ")
    assert f"{note}\n" in run_here(new).stdout
    assert run_here(new, "--check").stdout == "all is well\n"


def test_record_contains_the_folder(pair: list[Installer]) -> None:
    run_here(pair[0])
    assert json.loads(pair[0].record.read_text())["folder"] == str(pair[0].project)
    pair[0].record.unlink()
    assert run_here(pair[0], "--check").stdout.startswith(f"{pair[0].record} is missing: run ")
    run_here(pair[0])
    assert run_here(pair[0], "--check").stdout == "all is well\n"


def test_record_is_kept_while_another_scope_needs_it(pair: list[Installer]) -> None:
    run_here(pair[0])
    run_here(pair[0], "--scope", "local")
    run_here(pair[0], "--uninstall", "--scope", "local")
    assert pair[0].record.exists()
    assert run_here(pair[0], "--check").stdout == "all is well\n"


@pytest.mark.parametrize("text", ["", "[]", '{"folder": 5}', '{"folder": "x"}', "[" * 100_000])
def test_damaged_record_is_rewritten(pair: list[Installer], text: str) -> None:
    pair[0].record.parent.mkdir()
    pair[0].record.write_text(text)
    assert run_here(pair[0]).returncode == 0
    assert json.loads(pair[0].record.read_text())["folder"] == str(pair[0].project)


@pytest.mark.parametrize("name", ["../../x", "", "A", "a/b", "a\nb", 5])
def test_invalid_name_is_rejected(install: Installer, tmp_path: Path, name: object) -> None:
    project = Path(shutil.copytree(install.project, tmp_path / "odd"))
    (project / ".claude-plugin" / "plugin.json").write_text(json.dumps({"name": name}))
    completed = run_here(replace(install, project=project))
    assert completed.returncode == 1
    assert completed.stderr.endswith("plugin.json has no valid name: restore it from git\n")
    assert snapshot(install.config) == {}


@pytest.mark.parametrize(
    ("folder", "name"),
    [("2024 - My Hooks_", "my-hooks"), ("日本", "my-hooks"), ("é-" + "a" * 39 + "-b", "a" * 39)],
)
def test_project_is_named_after_its_folder(
    template: Path, tmp_path: Path, folder: str, name: str
) -> None:
    project = tmp_path / folder
    copier.run_copy(str(template), project, defaults=True, quiet=True, data={"routes": ROUTES})
    assert read_answers(project)["project_name"] == name


def test_current_folder_identifies_its_project(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Our Hooks").mkdir()
    monkeypatch.chdir(tmp_path / "Our Hooks")
    copier.run_copy(str(template), ".", defaults=True, quiet=True, data={"routes": ROUTES})
    assert read_answers(tmp_path / "Our Hooks")["project_name"] == "our-hooks"
