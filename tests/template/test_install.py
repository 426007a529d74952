"""install.py adds the hooks to the client's folder and settings, and removes them again."""

import json
import os
import sys
import venv
from pathlib import Path

import pytest

from ..support.installer import Installer, snapshot
from ..support.project import run_hook, search_event

OTHER = {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo other"}]}


def test_installed_hook_denies_searches(install: Installer) -> None:
    completed = install()
    assert (completed.returncode, completed.stderr) == (0, "")
    assert install.hook.read_bytes() == (install.project / "hooks/docsearch.py").read_bytes()
    assert os.access(install.hook, os.X_OK)
    assert install.search("user", PATH="/nowhere") == 2


@pytest.mark.parametrize("scope", ["user", "project", "local"])
def test_missing_script_does_not_block(install: Installer, scope: str) -> None:
    install("--scope", scope)
    assert install.search(scope) == 2
    install.hook.unlink()
    assert install.search(scope) == 0


def test_repeated_install_changes_nothing(install: Installer) -> None:
    install()
    before = snapshot(install.config)
    assert install().stdout == "nothing to change\n"
    assert snapshot(install.config) == before


def test_update_replaces_the_copy(install: Installer) -> None:
    install()
    install.record.write_text(json.dumps({"folder": str(install.project)}))  # an older format
    install.hook.write_bytes(install.hook.read_bytes().replace(b"gitlab\n", b"github\n"))
    install()
    assert install.hook.read_bytes() == (install.project / "hooks/docsearch.py").read_bytes()
    assert list(install.hook.parent.iterdir()) == [install.hook]


def test_other_settings_are_kept(install: Installer) -> None:
    text = json.dumps({"model": "öpus", "hooks": {"PreToolUse": [OTHER], "Stop": []}}, indent=4)
    install.settings.write_text(text)
    install.settings.chmod(0o640)
    install()
    merged = json.loads(install.settings.read_text())
    assert merged["hooks"]["PreToolUse"][0] == OTHER
    assert merged["hooks"]["Stop"] == []
    assert merged["model"] == "öpus"
    assert '\n    "model"' in install.settings.read_text()
    assert install.settings.stat().st_mode & 0o777 == 0o640
    assert (install.config / "settings.json.before-hookwright").read_text() == text


@pytest.mark.parametrize(("arguments", "suffix"), [([], ".former"), (["--uninstall"], "")])
def test_backup_of_removed_settings_is_kept(
    install: Installer, arguments: list[str], suffix: str
) -> None:
    install.settings.write_text('{"a": 1}')
    install()
    install.settings.unlink()
    install(*arguments)
    install("--uninstall")
    backup = install.config / f"settings.json.before-hookwright{suffix}"
    assert list(install.config.iterdir()) == [backup]
    assert backup.read_text() == '{"a": 1}'


def test_backup_of_replaced_settings_is_moved_aside(install: Installer) -> None:
    install.settings.write_text('{"a": 1}')
    install()
    install.settings.write_text('{"model": "b"}')
    backup = install.config / "settings.json.before-hookwright"
    former = install.config / f"{backup.name}.former"
    assert f"kept your previous settings as {former}\n" in install().stdout
    assert former.read_text() == '{"a": 1}'
    assert backup.read_text() == '{"model": "b"}'
    assert install("--check").stdout == "all is well\n"
    install("--uninstall")
    assert sorted(install.config.iterdir()) == sorted([former, install.settings])
    assert install.settings.read_text() == '{"model": "b"}'


@pytest.mark.parametrize("text", ["{}", '{"a":1,   "hooks":{}}\n', '{"hooks": {"PreToolUse": []}}'])
def test_uninstall_restores_byte_for_byte(install: Installer, text: str) -> None:
    install.settings.write_text(text)
    before = snapshot(install.config)
    install()
    assert install("--uninstall").returncode == 0
    assert snapshot(install.config) == before


def test_uninstall_leaves_nothing(install: Installer) -> None:
    install()
    run_hook(install.hook, search_event("gitlab"), install.config)
    install("--uninstall")
    assert list(install.config.iterdir()) == []


def test_uninstall_keeps_later_changes(install: Installer) -> None:
    install.settings.write_text('{"model": "a"}')
    install()
    later = json.loads(install.settings.read_text())
    later["model"] = "b"
    later["hooks"]["PreToolUse"][0]["hooks"].append({"type": "command", "command": "echo"})
    install.settings.write_text(json.dumps(later))
    install("--uninstall")
    entry = {"matcher": "WebSearch", "hooks": [{"type": "command", "command": "echo"}]}
    rest = {"model": "b", "hooks": {"PreToolUse": [entry]}}
    assert json.loads(install.settings.read_text()) == rest


def test_foreign_script_is_left_alone(install: Installer) -> None:
    install.hook.parent.mkdir(parents=True)
    install.hook.write_text("print('mine')\n")
    before = snapshot(install.config)
    completed = install()
    fault = f"{install.hook} is not a hook of Hookwright: move it away, then try again"
    assert (completed.returncode, completed.stderr) == (1, f"install.py: {fault}\n")
    assert install("--uninstall").returncode == 0
    assert snapshot(install.config) == before


def test_script_is_kept_while_another_scope_runs_it(install: Installer) -> None:
    install()
    install("--scope", "project")
    install("--uninstall", "--scope", "project")
    assert install.hook.exists()
    install("--uninstall")
    assert not install.hook.exists()


def test_scopes_deny_independently(install: Installer) -> None:
    scopes = ["user", "project", "local"]
    for scope in scopes:
        install("--scope", scope)
    assert [install.search(scope) for scope in scopes * 2] == [2, 2, 2, 0, 0, 0]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "is not a JSON object"),
        ("{,}", "is not valid JSON"),
        ('{"a": 1, "a": 2}', "a duplicate key"),
        ('{"hooks": []}', '"hooks" is not an object of lists'),
        ('{"hooks": {"PreToolUse": {}}}', '"hooks" is not an object of lists'),
        ("[" * 100_000, "is not valid JSON"),
        ("\udcff", "is not valid JSON"),
    ],
)
def test_unmergeable_settings_are_rejected(install: Installer, text: str, complaint: str) -> None:
    install.settings.write_bytes(text.encode("utf-8", "surrogateescape"))
    before = snapshot(install.config)
    completed = install()
    assert completed.returncode == 1
    assert complaint in completed.stderr
    assert completed.stderr.count("\n") == 1
    assert snapshot(install.config) == before


def test_linked_settings_are_left_alone(install: Installer, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    install.settings.symlink_to(real)
    completed = install()
    assert completed.returncode == 1
    assert str(real) in completed.stderr
    assert real.read_text() == "{}"
    assert not install.hook.exists()


def test_file_in_place_of_a_folder_is_reported(install: Installer) -> None:
    (install.config / "hooks").write_text("a file")
    before = snapshot(install.config)
    completed = install()
    assert completed.returncode == 1
    assert str(install.config / "hooks") in completed.stderr
    assert completed.stderr.count("\n") == 1
    assert snapshot(install.config) == before


def test_relative_config_folder_is_rejected(install: Installer) -> None:
    completed = install(CLAUDE_CONFIG_DIR="relative")
    assert completed.returncode == 1
    assert completed.stderr.count("\n") == 1
    assert list(install.folder.iterdir()) == []


def test_virtual_environment_is_resolved_to_its_base_interpreter(
    install: Installer, tmp_path: Path
) -> None:
    venv.create(tmp_path / "venv", symlinks=True)
    install(python=str(tmp_path / "venv" / "bin" / "python"))
    assert f"P={sys.base_prefix}/bin/python" in install.settings.read_text()


def test_missing_interpreter_has_a_fallback(install: Installer) -> None:
    install()
    text = install.settings.read_text().replace(f"P={sys.base_prefix}", "P=/gone")
    install.settings.write_text(text)
    assert install.search("user") == 2


def test_uninstall_keeps_a_change_of_type(install: Installer) -> None:
    install.settings.write_text('{"a": 1}')
    install()
    install.settings.write_text(install.settings.read_text().replace('"a": 1', '"a": true'))
    install("--uninstall")
    assert install.settings.read_text() == '{"a": true}'


def test_failed_installation_leaves_nothing(install: Installer) -> None:
    (install.folder / ".claude").write_text("a file")
    completed = install("--scope", "project")
    assert completed.returncode == 1
    assert completed.stderr.count("\n") == 1
    assert list(install.config.iterdir()) == []


def test_linked_folder_is_kept(install: Installer, tmp_path: Path) -> None:
    folder = tmp_path / "dotfiles"
    folder.mkdir()
    (install.config / "hooks").symlink_to(folder)
    install()
    completed = install("--uninstall")
    assert (completed.returncode, completed.stderr) == (0, "")
    assert (install.config / "hooks").is_symlink()
    assert list(folder.iterdir()) == []


def test_line_endings_are_kept(install: Installer) -> None:
    install.settings.write_bytes(b'{\r\n\t"a": 1\r\n}\r\n')
    install()
    written = install.settings.read_bytes()
    assert written.count(b"\n") == written.count(b"\r\n")
    assert b'\r\n\t"hooks": {' in written
    install("--uninstall")
    assert install.settings.read_bytes() == b'{\r\n\t"a": 1\r\n}\r\n'


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only to root")
def test_read_only_settings_are_reported(install: Installer) -> None:
    install.settings.write_text("{}")
    install.settings.chmod(0o444)
    assert "is read-only: make it writable first" in install().stderr
    assert install.settings.read_text() == "{}"
