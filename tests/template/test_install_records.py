"""An installation record stores its source and targets; records with any content are handled."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ..support.installer import Installer, run_here, snapshot

ODD = ["/x\0y", "/\ud800", "x", 10**400]


@pytest.fixture
def loop(tmp_path: Path) -> Path:
    path = tmp_path / "loop"
    path.symlink_to(path)
    return path


@pytest.mark.parametrize("number", range(len(ODD) + 1))
@pytest.mark.parametrize("name", ["other", "my-hooks"])
@pytest.mark.parametrize("arguments", [[], ["--check"], ["--uninstall"]])
def test_record_with_an_impossible_folder_is_handled(
    install: Installer, loop: Path, name: str, number: int, arguments: list[str]
) -> None:
    run_here(install)
    before = snapshot(install.config)
    record = install.record.with_name(f"hookwright-{name}.json")
    record.write_text(json.dumps({"folder": [*ODD, str(loop)][number]}))
    completed = run_here(install, *arguments)
    assert (completed.returncode, completed.stderr) == (0, "")
    if name == "my-hooks" and not arguments:
        assert snapshot(install.config) == before


def install_in(install: Installer, folder: Path) -> Installer:
    folder.mkdir()
    other = replace(install, folder=folder)
    assert run_here(other, "--scope", "local").returncode == 0
    return other


def test_hooks_of_another_folder_are_kept(install: Installer, tmp_path: Path) -> None:
    other = install_in(install, tmp_path / "other")
    run_here(install)
    shared = other.settings_of("local")
    completed = run_here(install, "--uninstall")
    assert (completed.returncode, completed.stderr) == (0, "")
    assert completed.stdout.endswith(f"kept the hooks: {shared} still runs them\n")
    assert install.hook.exists()
    assert json.loads(install.record.read_text())["settings"] == [str(shared)]
    assert run_here(other, "--check", "--scope", "local").stdout == "all is well\n"
    run_here(other, "--uninstall", "--scope", "local")
    assert snapshot(install.config) == snapshot(other.folder) == {}


@pytest.mark.parametrize("kind", ["gone", "without an entry", "pipe", "relative"])
def test_record_of_inactive_settings_is_handled(
    install: Installer, tmp_path: Path, kind: str
) -> None:
    other = install_in(install, tmp_path / "other")
    run_here(install)
    shared = other.settings_of("local")
    if kind == "relative":
        record = json.loads(install.record.read_text())
        text = json.dumps({**record, "settings": [os.path.relpath(shared)]})
        install.record.write_text(text)
    elif kind == "without an entry":
        shared.write_text("{}")
    else:
        shared.unlink()
        if kind == "pipe":
            os.mkfifo(shared)
    run_here(install, "--uninstall")
    assert snapshot(install.config) == {}


@pytest.mark.parametrize("settings", [5, "x", [5], ["/x\0"], {"a": 1}, [["/"]]])
def test_record_of_malformed_settings_is_handled(install: Installer, settings: object) -> None:
    run_here(install)
    record = json.loads(install.record.read_text())
    install.record.write_text(json.dumps({**record, "settings": settings}))
    assert run_here(install, "--uninstall").returncode == 0
    assert snapshot(install.config) == {}


def test_escaped_entry_is_recognised(install: Installer) -> None:
    run_here(install)
    run_here(install, "--scope", "project")
    shared = install.settings_of("project")
    shared.write_text(shared.read_text().replace("/", "\\/").replace("hooks", "h\\u006foks"))
    run_here(install, "--uninstall")
    assert install.hook.exists()


def test_edited_hook_is_kept(install: Installer) -> None:
    run_here(install)
    edited = install.hook.read_bytes() + b"# mine\n"
    install.hook.write_bytes(edited)
    backup = install.hook.with_name(f"{install.hook.name}.edited")
    assert f"kept your edit of {install.hook.name} as {backup}\n" in run_here(install).stdout
    assert backup.read_bytes() == edited
    assert run_here(install, "--check").stdout == "all is well\n"
    assert run_here(install).stdout == "nothing to change\n"
    install.hook.write_bytes(edited + b"# again\n")
    assert f"{backup} is in the way of {install.hook}: move" in run_here(install).stderr


def test_edited_hook_survives_uninstall(install: Installer) -> None:
    run_here(install)
    edited = install.hook.read_bytes() + b"# mine\n"
    install.hook.write_bytes(edited)
    backup = install.hook.with_name(f"{install.hook.name}.edited")
    assert str(backup) in run_here(install, "--uninstall", "--dry-run").stdout
    assert f"kept your edit of {install.hook.name} as {backup}\n" in (
        run_here(install, "--uninstall").stdout
    )
    assert backup.read_bytes() == edited
    assert not install.hook.exists()


def test_hook_of_a_changed_project_is_replaced(install: Installer, tmp_path: Path) -> None:
    project = Path(shutil.copytree(install.project, tmp_path / "copy"))
    changed = replace(install, project=project)
    run_here(changed)
    hook = project / "hooks" / "docsearch.py"
    hook.write_bytes(hook.read_bytes() + b"# newer\n")
    assert run_here(changed).returncode == 0
    assert list(install.hook.parent.iterdir()) == [install.hook]


def test_customised_timeout_is_reset(install: Installer) -> None:
    run_here(install)
    before = install.settings.read_text()
    install.settings.write_text(before.replace('"timeout": 5', '"timeout": 30'))
    completed = run_here(install)
    assert completed.stdout == f"wrote {install.settings}\n"
    assert install.settings.read_text() == before
