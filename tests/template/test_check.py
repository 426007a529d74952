"""install.py shows pending changes and faults without changing anything."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ..support.installer import Installer, check_by_hookwright, run_here, snapshot


@pytest.mark.parametrize("arguments", [["--dry-run"], ["--dry-run", "--uninstall"]])
def test_dry_run_prints_changes_and_writes_nothing(
    install: Installer, arguments: list[str]
) -> None:
    install.settings.write_text('{\n  "model": "a"\n}\n')
    if "--uninstall" in arguments:
        install()
    before = snapshot(install.config)
    completed = install(*arguments)
    assert completed.returncode == 0
    sign, verb = ("-", "remove") if "--uninstall" in arguments else ("+", "add")
    assert f"{verb} {install.hook}\n" in completed.stdout
    assert f'\n{sign}        "matcher": "WebSearch",' in completed.stdout
    assert "KEYWORDS" not in completed.stdout
    assert snapshot(install.config) == before


def test_check_of_a_valid_installation_passes(install: Installer) -> None:
    install()
    completed = install("--check")
    assert (completed.returncode, completed.stdout) == (0, "all is well\n")


def test_check_reports_each_fault(install: Installer, tmp_path: Path) -> None:
    again = f"{install.project}/install.py --scope user"
    assert install("--check").stdout == f"my-hooks is not installed: run python3 {again}\n"
    install()
    install.hook.write_bytes(install.hook.read_bytes() + b"# older\n")
    shim = tmp_path / "python3"
    shim.write_text("#!/bin/sh\n")
    text = install.settings.read_text().replace(f"P={sys.base_prefix}/bin/", f"P={tmp_path}/")
    text = re.sub(r"python3\.\d+;", "python3;", text)
    install.settings.write_text(text)
    local = install.settings_of("local")
    local.parent.mkdir()
    command = {"type": "command", "command": f"python3 {install.hook}"}
    local.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [command]}]}}))
    before = snapshot(install.config)
    completed = install("--check")
    assert (completed.returncode, completed.stdout) == (
        1,
        f"{install.hook} is stale: run python3 {again}\n",
    )
    stale, duplicated, slow = check_by_hookwright(install)
    assert stale.startswith(f"{install.hook} is stale: run hookwright install")
    assert duplicated.startswith("docsearch is duplicated, run by `")
    assert duplicated.endswith(f"in {local}: keep one")
    assert slow.startswith(f"{install.settings} runs {shim}, which is slow (a shim): run {again} ")
    assert snapshot(install.config) == before


BREAKS = {
    "<<<<<<< before updating\n": "has a merge marker (line 2): keep one of its two versions",
    "def f(:\n": "is not valid Python (line 2): restore it from git",
    "\0": "is not valid Python: restore it from git",
    "": "is empty: restore it from git",
}


@pytest.mark.parametrize("text", BREAKS)
def test_broken_hook_is_not_installed(install: Installer, tmp_path: Path, text: str) -> None:
    broken = replace(install, project=Path(shutil.copytree(install.project, tmp_path / "my-hooks")))
    run_here(broken)
    before = snapshot(install.config)
    hook = broken.project / "hooks" / "docsearch.py"
    first, _, rest = hook.read_text("utf-8").partition("\n")
    hook.write_text(f"{first}\n{text}{rest}" if text else "\n", "utf-8")
    for arguments in ([], ["--check"], ["--dry-run"]):
        completed = run_here(broken, *arguments)
        assert (completed.returncode, completed.stdout) == (1, "")
        assert completed.stderr.startswith(f"install.py: {hook} {BREAKS[text]}")
        assert completed.stderr.count("\n") == 1
        assert snapshot(install.config) == before
    assert check_by_hookwright(broken) == [completed.stderr.removeprefix("install.py: ").rstrip()]
    assert run_here(broken, "--uninstall").returncode == 0
    assert snapshot(install.config) == {}


def test_check_reports_a_stale_entry_and_a_plugin(install: Installer) -> None:
    install()
    settings = json.loads(install.settings.read_text())
    settings["hooks"]["PreToolUse"][0]["matcher"] = "WebFetch"
    settings["enabledPlugins"] = {"my-hooks@my-hooks": True}
    install.settings.write_text(json.dumps(settings))
    entry, duplicated = check_by_hookwright(install)
    assert entry.startswith(f"{install.settings} has no entry for the hooks, or a stale one: run ")
    assert "by the plugin my-hooks@my-hooks" in duplicated


def test_check_of_shared_settings_accepts_a_slow_python(
    install: Installer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("--scope", "project")
    shim = tmp_path / "bin" / "python3"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(shim.parent), prepend=os.pathsep)
    assert check_by_hookwright(install, "project") == []


def test_full_output_is_handled(install: Installer) -> None:
    with Path("/dev/full").open("w") as full:
        completed = subprocess.run(
            [sys.executable, "-u", install.project / "install.py", "--check"],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "CLAUDE_CONFIG_DIR": str(install.config)},
        )
    assert completed.returncode == 1
    assert completed.stderr.startswith("install.py: the output cannot be written (")
    assert completed.stderr.count("\n") == 1


def test_check_reports_what_would_stop_an_installation(install: Installer) -> None:
    install.settings.write_text('{"hooks": []}')
    completed = run_here(install, "--check")
    assert (completed.returncode, completed.stdout) == (1, "")
    assert completed.stderr == run_here(install).stderr
    assert "cannot take the hooks" in completed.stderr


def test_scope_with_the_hooks_is_reported(install: Installer) -> None:
    run_here(install, "--scope", "project")
    shared = install.settings_of("project")
    assert f"they are in {shared}, or run " in run_here(install, "--check").stdout
    kept = f"nothing to change\nkept the hooks: {shared} still runs them\n"
    assert run_here(install, "--uninstall").stdout == kept
    assert run_here(install, "--uninstall", "--scope", "project").returncode == 0
    assert run_here(install, "--uninstall").stdout == "nothing to change\n"
