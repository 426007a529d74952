"""A hook is recognised by its ID, and its project by the project's name."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright.doctor.finding import find_setup
from hookwright.installer import entries
from hookwright.installer.registry import ADDED

from ..support.installer import Installer, check_by_hookwright, run_here, snapshot
from ..support.project import INDEXED, ROOT, ROUTES, render

HEAD = re.compile(r"# ID: (\w+)\n")
DIGEST = "0123456789abcdef"


@pytest.fixture
def copied(both: Path, install: Installer, monkeypatch: pytest.MonkeyPatch) -> Installer:
    settings = json.loads((both / "settings.json").read_text())
    install.settings.write_text(json.dumps(settings))
    for hook in (both / "hooks").glob("*.py"):
        script = install.hook.with_name(hook.name)
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_bytes(hook.read_bytes())
    for name in (
        f"docsearch-state-a1-{DIGEST}.json",
        f"docsearch-state-é-{DIGEST}.json",
        f"tool_routing-blocks-state-a1-{DIGEST}",
    ):
        (install.config / "hooks" / name).write_text("{}")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(install.config))
    monkeypatch.chdir(install.folder)
    return replace(install, project=both)


def test_hook_ids_are_unique(template: Path, tmp_path: Path) -> None:
    names = [path.name for path in (ROOT / "generator" / "hooks").iterdir()]
    hooks = [name for name in names if name not in ADDED.values()]
    answers = {"hooks": hooks, "databases": [INDEXED], "routes": ROUTES}
    answers |= dict.fromkeys(ADDED, True)
    rendered = render(template, tmp_path / "project", **answers).glob("hooks/*.py")
    heads = {hook.stem: HEAD.match(hook.read_text().partition("\n")[2]) for hook in rendered}
    assert heads.keys() == {*names, *entries.COMPANIONS.values()}
    ids = {hook: head[1].encode() if head else b"" for hook, head in heads.items()}
    assert ids == entries.IDS
    assert len(set(ids.values())) == len(ids)


def test_manual_copy_is_kept_and_reported(copied: Installer) -> None:
    assert {handler.hook for handler in find_setup(None).ours} == {"docsearch", "tool_routing"}
    before = snapshot(copied.config)
    assert run_here(copied).returncode == 0
    assert "docsearch is duplicated" in "\n".join(check_by_hookwright(copied))
    assert run_here(copied, "--uninstall").returncode == 0
    assert snapshot(copied.config) == before


@pytest.mark.parametrize(
    ("name", "project"),
    [
        ("docsearch.py", ""),
        ("docsearch-a-b.py", "a-b"),
        ("tool_routing-x2.py", "x2"),
    ],
)
def test_file_name_contains_the_project(both: Path, name: str, project: str) -> None:
    hook = (both / "hooks" / "docsearch.py").read_bytes()
    assert entries.name_project(Path(name), hook) == project
    assert entries.name_project(Path(name), hook.replace(b"\n", b"\r\n")) == project
    assert entries.name_project(Path(name), b"print('mine')\n") is None


def test_other_id_is_not_recognised() -> None:
    hook = b"# ID: " + b"0" * 32 + b"\n# Hookwright project: my-hooks\n"
    assert entries.name_project(Path("docsearch.py"), hook) is None
