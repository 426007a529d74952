"""install.py installs hooks for clients besides Claude Code, and restores their files exactly."""

import json
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ..support.client_installer import (
    BY_SETTINGS,
    OTHERS,
    WITH_COMMENTS,
    ClientInstaller,
    render_for,
    run_command,
)
from ..support.hypothesis_profiles import mark_long
from ..support.installer import Installer, load_installer, snapshot
from ..support.interrupted_install import KILL, run_to, survey

SCOPES = ("user", "project")
STEPS = {"codex": "run /hooks in codex", "copilot": "trust the folder"}
ODD = [
    "{}",
    '{"a":1,   "hooks":{}}\n',
    '{\r\n\t"a": "é",\r\n\t"hooks": {"PreToolUse": [], "BeforeTool": [ ]}\r\n}\r\n',
    '\ufeff{"version": 1, "b": [1, 1e3]}',
]
COMMENTED = [
    "// mine\n{} // end",
    '{\n  // a theme\n  "theme": "x", /* dark */\n  "b": [1, 2,], // last\n}\n',
    '{\n  "hooks": { // none yet\n  }\n}\n',
    '{"hooks": {"BeforeTool": [{"hooks": [{"command": "x // y"}]} // own\n]}, "u": "http://a/*b*/"}',
    '{\n  "a": 1, // see [docs]\n  "b": 2\n}\n',
    '{\n  "hooks": {\n    "X": [] /* mine */\n  } /* end */\n}\n',
]


@pytest.fixture(params=["copilot", "opencode", *mark_long(["codex", "gemini", "qwen"])])
def install(rendered: Path, tmp_path: Path, request: pytest.FixtureRequest) -> ClientInstaller:
    return ClientInstaller(rendered, tmp_path / "home", request.param)


@pytest.fixture(params=["gemini", *mark_long(["codex", "copilot", "qwen"])])
def merge(rendered: Path, tmp_path: Path, request: pytest.FixtureRequest) -> ClientInstaller:
    return ClientInstaller(rendered, tmp_path / "home", request.param)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def list_commands(install: ClientInstaller) -> list[str]:
    text = install.settings.read_text("utf-8-sig")
    return [
        json.loads(f'"{command}"')
        for command in re.findall(r'"command": "((?:[^"\\]|\\.)*)"', text)
    ]


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("client", OTHERS)
def test_uninstall_leaves_nothing(rendered: Path, tmp_path: Path, client: str, scope: str) -> None:
    install = ClientInstaller(rendered, tmp_path, client)
    installation = replace(install, scope=scope)
    done = installation()
    assert (done.returncode, done.stderr) == (0, "")
    if (install.client, scope) in {("codex", "user"), ("copilot", "project")}:
        assert STEPS[install.client] in done.stdout
    assert installation("--check").stdout == "all is well\n"
    assert installation().stdout == "nothing to change\n"
    written = [str(path) for path in snapshot(install.home)]
    assert all("hookwright" in path or path.endswith((".json", ".js")) for path in written)
    assert installation("--uninstall").returncode == 0
    assert snapshot(install.home) == {}


@pytest.mark.parametrize("text", ODD)
def test_settings_are_restored(merge: ClientInstaller, text: str) -> None:
    write(merge.settings, text)
    before = survey(merge.home)
    for loses in (False, True) if text != "{}" else (False,):
        assert merge().returncode == 0
        assert json.loads(merge.settings.read_text("utf-8-sig"))["hooks"]
        if loses:
            merge.settings.with_name(f"{merge.settings.name}.before-hookwright").unlink()
        assert merge("--uninstall").stderr == ""
        merge.work.rmdir()
        assert survey(merge.config)[str(merge.settings.relative_to(merge.config))][3] == (
            text.encode()
        )
    assert survey(merge.home).keys() == before.keys()


@pytest.mark.parametrize("client", WITH_COMMENTS)
@pytest.mark.parametrize("text", COMMENTED)
def test_comments_are_kept(rendered: Path, tmp_path: Path, client: str, text: str) -> None:
    install = ClientInstaller(rendered, tmp_path, client)
    write(install.settings, text)
    install()
    installed = install.settings.read_text()
    for comment in re.findall(r"// [a-z ]+|/\* \w+ \*/", text):
        assert comment in installed
    assert install("--check").stdout == "all is well\n"
    install.settings.with_name("settings.json.before-hookwright").unlink()
    install("--uninstall")
    assert install.settings.read_text() == text


@pytest.mark.parametrize("text", ["", " \n", "\ufeff"])
def test_blank_settings_are_restored(merge: ClientInstaller, text: str) -> None:
    write(merge.settings, text)
    before = snapshot(merge.home)
    assert merge().returncode == 0
    assert json.loads(merge.settings.read_text())["hooks"]
    assert merge("--check").stdout == "all is well\n"
    assert merge("--uninstall").returncode == 0
    assert snapshot(merge.home) == before


@pytest.mark.parametrize("client", ["codex", "copilot"])
def test_comments_are_rejected_in_plain_json(rendered: Path, tmp_path: Path, client: str) -> None:
    install = ClientInstaller(rendered, tmp_path, client)
    write(install.settings, "{} // mine")
    completed = install()
    assert completed.returncode == 1
    assert "is not valid JSON" in completed.stderr
    assert install.settings.read_text() == "{} // mine"


def test_two_projects_are_removed_in_any_order(
    install: ClientInstaller, template: Path, tmp_path: Path
) -> None:
    other = render_for(template, tmp_path / "a-hooks", install.client)
    pair = [install, replace(install, project=other)]
    write(install.config / "settings.json", '{"a":  1}')
    before = snapshot(install.home)
    for order in (1, -1):
        for project in pair:
            project()
        for project in pair:
            assert project("--check").stdout == "all is well\n"
        for project in pair[::order]:
            project("--uninstall")
        assert snapshot(install.home) == before


def test_dry_run_prints_changes_and_writes_nothing(install: ClientInstaller) -> None:
    completed = install("--dry-run")
    assert str(install.settings) in completed.stdout
    assert snapshot(install.home) == {}
    install()
    added = {line[4:] for line in completed.stdout.splitlines() if line.startswith("add ")}
    assert added == {str(install.home / path) for path in snapshot(install.home)}


def test_commands_run_and_fail_open(merge: ClientInstaller) -> None:
    merge()
    commands = list_commands(merge)
    assert commands
    for command in commands:
        assert command.count(" -I -S ") == 2
        assert not {"$", "{", "`"} & set(command)
        assert run_command(command, b"garbage", merge.home).returncode == 0
    [gone] = {re.sub(r"\[ -x \S+ \]", "[ -x /gone ]", commands[0])}
    assert run_command(gone, b"{}", merge.home).returncode == 0
    for script in merge.config.rglob("*.py"):
        script.write_text("import sys; sys.exit(7)")
    assert {run_command(command, b"{}", merge.home).returncode for command in commands} == {7}
    assert run_command(gone, b"{}", merge.home).returncode == 7
    for script in merge.config.rglob("*.py"):
        script.unlink()
    assert {run_command(command, b"{}", merge.home).returncode for command in commands} == {0}


def test_home_may_contain_unusual_characters(merge: ClientInstaller) -> None:
    odd = replace(merge, home=merge.home / 'o\'neil & "co" ü')
    odd()
    for script in odd.config.rglob("*.py"):
        script.write_text("import sys; sys.exit(7)")
    codes = {run_command(command, b"{}", odd.home).returncode for command in list_commands(odd)}
    assert codes == {7}
    odd()
    assert odd("--check").stdout == "all is well\n"
    odd("--uninstall")
    assert not odd.settings.exists()


@pytest.mark.parametrize("client", OTHERS)
def test_home_may_contain_a_dollar_sign(rendered: Path, tmp_path: Path, client: str) -> None:
    install = ClientInstaller(rendered, tmp_path / "a$HOME", client)
    completed = install()
    if client in WITH_COMMENTS:
        assert completed.returncode == 1
        assert "expands $" in completed.stderr
        assert snapshot(install.home) == {}
    else:
        assert (completed.returncode, completed.stderr) == (0, "")


def test_shared_settings_contain_no_home_path(install: ClientInstaller) -> None:
    shared = replace(install, scope="project")
    shared()
    assert str(install.home) not in shared.settings.read_text()
    for script in install.config.rglob("*.py"):
        script.write_text("import sys; sys.exit(7)")
    if install.client in BY_SETTINGS:
        codes = {
            run_command(command, b"{}", install.home).returncode
            for command in list_commands(shared)
        }
        assert codes == {7}


def test_installed_command_keeps_its_interpreter(
    merge: ClientInstaller, monkeypatch: pytest.MonkeyPatch
) -> None:
    merge()
    text = merge.settings.read_text()
    monkeypatch.setattr("sys.executable", "/usr/bin/env")
    monkeypatch.setattr("sys.base_prefix", "/usr")
    monkeypatch.setattr("sys.prefix", "/usr")
    next(merge.config.rglob("*.py")).unlink()
    merge()
    assert merge.settings.read_text() == text


@pytest.mark.parametrize("client", OTHERS)
def test_linked_settings_are_rejected(rendered: Path, tmp_path: Path, client: str) -> None:
    install = ClientInstaller(rendered, tmp_path / "home", client)
    write(tmp_path / "real", "{}")
    install.settings.parent.mkdir(parents=True)
    install.settings.symlink_to(tmp_path / "real")
    completed = install()
    assert (completed.returncode, completed.stderr.count("\n")) == (1, 1)
    assert (tmp_path / "real").read_text() == "{}"
    assert not any(install.config.rglob("*.py"))


@pytest.mark.parametrize("client", OTHERS)
def test_user_file_is_restored(rendered: Path, tmp_path: Path, client: str) -> None:
    install = ClientInstaller(rendered, tmp_path, client)
    text = "export const Mine = 1;\n" if client == "opencode" else '{"mine": [1,2]}'
    write(install.settings, text)
    completed = install()
    if client == "opencode":
        assert "is not a hook of Hookwright: move it away" in completed.stderr
    else:
        assert install.settings.read_text() != text
    install("--uninstall")
    assert install.settings.read_text() == text


@pytest.mark.parametrize("client", BY_SETTINGS)
def test_concurrent_client_writes_are_kept(
    rendered: Path, tmp_path: Path, client: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    install = ClientInstaller(rendered, tmp_path, client)
    module = load_installer(rendered)
    text = '{"mine": 1}'
    apply: Any = module.files.apply_changes
    written: list[str] = []

    def write_first(*arguments: object) -> object:
        if not written:
            written.append(text)
            write(install.settings, text)
        return apply(*arguments)

    monkeypatch.setattr(module.files, "apply_changes", write_first)
    assert install().returncode == 0
    install("--uninstall")
    assert install.settings.read_text() == text


def test_plugin_with_a_merge_marker_is_not_installed(rendered: Path, tmp_path: Path) -> None:
    project = Path(shutil.copytree(rendered, tmp_path / rendered.name))
    install = ClientInstaller(project, tmp_path / "home", "opencode")
    plugin = install.facts.locate_snippet(project)
    plugin.write_text(f"{plugin.read_text()}<<<<<<< before updating\n")
    assert f"{plugin} has a merge marker (line " in install().stderr
    assert snapshot(install.home) == {}


def test_namesake_in_another_folder_is_rejected(
    install: ClientInstaller, template: Path, tmp_path: Path
) -> None:
    install()
    other = render_for(template, tmp_path / "other" / "my-hooks", install.client)
    rival = replace(install, project=other)
    done = rival()
    assert done.returncode == 1
    assert f"is installed from another folder, {install.project}" in done.stderr
    assert f"--client {install.client} --take-over" in done.stderr
    assert rival("--take-over").returncode == 0
    assert install("--check").returncode == 1


def test_edited_hook_is_kept(install: ClientInstaller) -> None:
    for verb in ((), ("--uninstall",)):
        install()
        files = [next(install.config.rglob("*.py"))]
        files += [install.settings] if install.client == "opencode" else []
        for file in files:
            file.write_text(f"{file.read_text()}// mine {verb}\n")
        output = install(*verb).stdout
        for file in files:
            backup = file.with_name(f"{file.name}.edited")
            assert f"kept your edit of {file.name} as {backup}\n" in output
            assert backup.read_text().endswith(f"// mine {verb}\n")
            backup.unlink()
    assert snapshot(install.home) == {}


def test_project_memory_is_removed(install: ClientInstaller) -> None:
    install()
    digest = "0123456789abcdef"
    own = install.config / "hookwright" / f"tool_routing-state-my-hooks-s-{digest}.json"
    theirs = own.with_name(f"tool_routing-state-other-s-{digest}.json")
    write(own, "{}")
    write(theirs, "{}")
    install("--uninstall")
    assert [path.name for path in install.config.rglob("*") if path.is_file()] == [theirs.name]


def test_environment_variable_changes_the_folder(install: ClientInstaller, tmp_path: Path) -> None:
    completed = install(**{install.facts.variable: str(tmp_path / "moved")})
    assert completed.returncode == 0
    assert snapshot(install.home) == {}
    assert any((tmp_path / "moved").rglob("*.py"))
    assert install(**{install.facts.variable: "relative"}).returncode == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_read_only_settings_are_reported(merge: ClientInstaller) -> None:
    write(merge.settings, "{}")
    merge.settings.chmod(0o444)
    assert "is read-only: make it writable first" in merge().stderr


@pytest.mark.long
@pytest.mark.parametrize("client", OTHERS)
@pytest.mark.parametrize("verb", [(), ("--uninstall",)])
def test_install_killed_at_any_step_can_be_repeated(
    rendered: Path,
    tmp_path: Path,
    client: str,
    verb: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    killed = 0
    for number in range(1, 100, 9):
        install = ClientInstaller(rendered, tmp_path / str(number), client)
        if client != "opencode":
            write(install.settings, '{"mine":  [1]}')
        before = snapshot(install.home)
        if verb:
            install()
        install.work.mkdir(parents=True, exist_ok=True)
        for facts in load_installer(rendered).CLIENTS.values():
            monkeypatch.delenv(facts.variable, raising=False)
        monkeypatch.setenv("HOME", str(install.home))
        runner = Installer(rendered, install.config, install.work)
        done = run_to(runner, number, KILL, "--client", client, *verb)
        if done.returncode == 0:
            break
        killed += 1
        assert install().returncode == 0
        assert install("--check").stdout == "all is well\n"
        install("--uninstall")
        assert snapshot(install.home) == before
    assert killed
