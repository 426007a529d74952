"""install.py shows what it would change, and what is wrong, without changing anything."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from installer import Installer, snapshot


@pytest.mark.parametrize("arguments", [["--dry-run"], ["--dry-run", "--uninstall"]])
def test_dry_run_shows_and_writes_nothing(install: Installer, arguments: list[str]) -> None:
    """A dry run prints the changes as a patch, and makes none."""
    install.settings.write_text('{\n  "model": "a"\n}\n')
    if "--uninstall" in arguments:
        install()
    before = snapshot(install.config)
    done = install(*arguments)
    assert done.returncode == 0
    sign = "-" if "--uninstall" in arguments else "+"
    assert f"\n{sign}KEYWORDS = " in done.stdout
    assert f'\n{sign}        "matcher": "WebSearch",' in done.stdout
    assert snapshot(install.config) == before


def test_check_of_a_good_installation(install: Installer) -> None:
    """A check of what was just installed finds nothing."""
    install()
    done = install("--check")
    assert (done.returncode, done.stdout) == (0, "all is well\n")


def test_check_names_each_fault(install: Installer, tmp_path: Path) -> None:
    """A check names what is missing, stale, duplicated or slow, and writes nothing."""
    missing = install("--check").stdout.splitlines()
    assert [line.rpartition(": ")[2] for line in missing] == ["run install.py"] * 2
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
    done = install("--check")
    assert done.returncode == 1
    stale, duplicated, slow = done.stdout.splitlines()
    assert stale.startswith(f"{install.hook} is stale")
    assert duplicated.startswith("docsearch is duplicated, run by `")
    assert duplicated.endswith(f"in {local}: keep one")
    assert slow.startswith(f"{shim}, which {install.settings} runs, is slow, a shim")
    assert snapshot(install.config) == before


def test_check_of_a_stale_entry_and_a_plugin(install: Installer) -> None:
    """A check finds an entry that is not what would be installed now, and a plugin beside it."""
    install()
    settings = json.loads(install.settings.read_text())
    settings["hooks"]["PreToolUse"][0]["matcher"] = "WebFetch"
    settings["enabledPlugins"] = {"my-hooks@my-hooks": True}
    install.settings.write_text(json.dumps(settings))
    entry, duplicated = install("--check").stdout.splitlines()
    assert entry == f"{install.settings} has no entry, or a stale one: run install.py"
    assert "by the plugin my-hooks@my-hooks" in duplicated


def test_check_of_shared_settings_looks_at_the_path(install: Installer, tmp_path: Path) -> None:
    """Where the settings run the python3 of the PATH, a shim there is found."""
    install("--scope", "project")
    shim = tmp_path / "bin" / "python3"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\n")
    shim.chmod(0o755)
    path = f"{shim.parent}{os.pathsep}{os.environ['PATH']}"
    done = install("--check", "--scope", "project", PATH=path)
    assert done.stdout.startswith(f"{shim}, which ")
