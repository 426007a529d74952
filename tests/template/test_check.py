"""install.py shows what it would change, and what is wrong, without changing anything."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.installer import Installer, run_here, snapshot


@pytest.mark.parametrize("arguments", [["--dry-run"], ["--dry-run", "--uninstall"]])
def test_dry_run_shows_and_writes_nothing(install: Installer, arguments: list[str]) -> None:
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
    install()
    done = install("--check")
    assert (done.returncode, done.stdout) == (0, "all is well\n")


def test_check_names_each_fault(install: Installer, tmp_path: Path) -> None:
    missing = install("--check").stdout.splitlines()
    again = f"{install.project}/install.py --scope user"
    assert [line.rpartition(": ")[2] for line in missing] == [f"run python3 {again}"] * 2
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
    assert stale == f"{install.hook} is stale: run python3 {again}"
    assert duplicated.startswith("docsearch is duplicated, run by `")
    assert duplicated.endswith(f"in {local}: keep one")
    assert slow.startswith(f"{install.settings} runs {shim}, which is slow (a shim): run {again} ")
    assert snapshot(install.config) == before


def test_check_of_a_stale_entry_and_a_plugin(install: Installer) -> None:
    install()
    settings = json.loads(install.settings.read_text())
    settings["hooks"]["PreToolUse"][0]["matcher"] = "WebFetch"
    settings["enabledPlugins"] = {"my-hooks@my-hooks": True}
    install.settings.write_text(json.dumps(settings))
    entry, duplicated = install("--check").stdout.splitlines()
    assert entry.startswith(f"{install.settings} has no entry for the hooks, or a stale one: run ")
    assert "by the plugin my-hooks@my-hooks" in duplicated


def test_check_of_shared_settings_looks_at_the_path(install: Installer, tmp_path: Path) -> None:
    install("--scope", "project")
    shim = tmp_path / "bin" / "python3"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\n")
    shim.chmod(0o755)
    path = f"{shim.parent}{os.pathsep}{os.environ['PATH']}"
    done = install("--check", "--scope", "project", PATH=path)
    settings = install.settings_of("project")
    assert done.stdout.startswith(f"{settings} runs {shim}, which is slow (a shim)")


def read_faults(done: "subprocess.CompletedProcess[str]") -> list[dict[str, str | None]]:
    faults: list[dict[str, str | None]] = json.loads(done.stdout)
    return faults


def test_check_as_json(install: Installer) -> None:
    fix = f"run python3 {install.project}/install.py --scope local"
    missing = install("--check", "--json", "--scope", "local")
    assert (missing.returncode, missing.stderr) == (1, "")
    assert read_faults(missing) == [
        {"file": str(install.hook), "problem": "is missing", "fix": fix},
        {
            "file": str(install.settings_of("local")),
            "problem": "has no entry for the hooks, or a stale one",
            "fix": fix,
        },
    ]
    install("--scope", "local")
    well = install("--check", "--json", "--scope", "local")
    assert (well.returncode, read_faults(well)) == (0, [])


def test_refused_check_as_json(install: Installer) -> None:
    install.settings.write_text("{,}")
    done = install("--check", "--json")
    assert (done.returncode, done.stderr) == (1, "")
    [fault] = read_faults(done)
    assert (fault["file"], fault["fix"]) == (str(install.settings), "fix it, then try again")
    relative = install("--check", "--json", CLAUDE_CONFIG_DIR="relative")
    assert [fault["file"] for fault in read_faults(relative)] == [None]


def test_dry_run_as_json(install: Installer) -> None:
    install.settings.write_text("{}")
    before = snapshot(install.config)
    _, hook, settings = json.loads(run_here(install, "--dry-run", "--json").stdout)
    assert (hook["file"], hook["does"], hook["backup"]) == (str(install.hook), "add", None)
    assert (settings["file"], settings["does"]) == (str(install.settings), "change")
    assert settings["backup"] == f"{install.settings}.before-hookwright"
    assert '+  "hooks": {' in settings["patch"].splitlines()
    assert snapshot(install.config) == before
    install.settings.write_text("{,}")
    refused = run_here(install, "--dry-run", "--json")
    assert (refused.returncode, refused.stderr) == (1, "")
    assert read_faults(refused)[0]["file"] == str(install.settings)


def test_json_is_for_what_changes_nothing(install: Installer) -> None:
    done = install("--json")
    assert (done.returncode, snapshot(install.config)) == (2, {})
    assert "--json needs --check or --dry-run" in done.stderr


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_output_that_is_full(install: Installer, arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-u", install.project / "install.py", "--check", *arguments],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "CLAUDE_CONFIG_DIR": str(install.config)},
        )
    assert done.returncode == 1
    assert done.stderr.startswith("install.py: the output cannot be written (")
    assert done.stderr.count("\n") == 1
