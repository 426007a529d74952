"""install.py installs several hooks and removes those no longer in the project."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ..support.installer import Installer, snapshot
from ..support.project import GITLAB, PULL_REQUEST, URL, fetch_event, render, run_hook


@pytest.fixture
def install_both(both: Path, install: Installer) -> Installer:
    return replace(install, project=both)


def list_matchers(install: Installer) -> list[str]:
    entries = json.loads(install.settings.read_text())["hooks"]["PreToolUse"]
    return [entry["matcher"] for entry in entries]


def test_both_hooks_are_installed(install_both: Installer) -> None:
    assert install_both().returncode == 0
    assert list_matchers(install_both) == ["WebSearch", "WebFetch"]
    assert run_hook(
        install_both.config / "hooks/PreToolUse/tool_routing-my-hooks.py",
        fetch_event(URL),
        Path("/x"),
    ).denied
    assert install_both("--check").stdout == "all is well\n"


DIGEST = "0123456789abcdef"


def test_uninstall_removes_both_hooks(install_both: Installer) -> None:
    install_both()
    for name in (
        f"docsearch-state-my-hooks-a-{DIGEST}.json",
        f"tool_routing-state-my-hooks--{DIGEST}.json",
        f"tool_routing-blocks-state-my-hooks-é-{DIGEST}",
        "tool_routing-blocks.tsv",
        "tool_routing-blocks.tsv.old",
    ):
        (install_both.config / "hooks" / name).write_text("")
    install_both("--uninstall")
    assert snapshot(install_both.config) == {}


def test_uninstall_keeps_foreign_files(install_both: Installer) -> None:
    install_both()
    hooks = install_both.config / "hooks"
    for name in (
        "docsearch-state-notes.md",
        f"docsearch-state-my-hooks-a-{DIGEST}",
        f"tool_routing-blocks-state-my-hooks-a-{DIGEST}.json",
        f"tool_routing-state-my-hooks-my notes-{DIGEST}.json",
        f"docsearch-state-a-{DIGEST}.json",
        f"docsearch-state-my-a-{DIGEST}.json",
        f"docsearch-state-my-hooks-2-a-{DIGEST}.json",
        "tool_routing-blocks.tsv.bak",
        "docsearch-blocks.tsv.older",
    ):
        (hooks / name).write_text("mine")
    (hooks / f"docsearch-state-my-hooks-b-{DIGEST}.json").symlink_to(
        hooks / "docsearch-state-notes.md"
    )
    os.mkfifo(hooks / f"docsearch-state-my-hooks-c-{DIGEST}.json")
    (hooks / "docsearch-blocks.tsv").mkdir()
    before = sorted(hooks.iterdir())
    gone = {"PreToolUse", install_both.record.name}
    done = install_both("--uninstall")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(hooks.iterdir()) == [path for path in before if path.name not in gone]


def test_dropped_hook_is_removed(install_both: Installer, template: Path, tmp_path: Path) -> None:
    install_both()
    project = tmp_path / "later" / "my-hooks"
    render(template, project, databases=[GITLAB], routes={"pr": PULL_REQUEST}, hooks=["docsearch"])
    later = replace(install_both, project=project)
    assert later("--take-over").returncode == 0
    assert list_matchers(later) == ["WebSearch"]
    assert list((later.config / "hooks").rglob("*.py")) == [later.hook]
    assert later("--check").stdout == "all is well\n"


def test_home_folder_is_not_a_second_scope(install_both: Installer, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    at_home = replace(install_both, config=home / ".claude", folder=home)
    at_home()
    assert at_home("--check").stdout == "all is well\n"
    at_home("--uninstall")
    assert snapshot(home) == {}
    shutil.rmtree(home)
