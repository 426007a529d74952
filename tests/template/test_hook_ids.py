"""A hook is known by its ID, and a copy that an older version installed by what it says."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright.doctor.installation import check_installed
from hookwright.doctor.setup import find_setup
from hookwright.project.installer import find_scopes
from hookwright.project.reader import open_project
from hookwright.project.template_modules import scripts

from ..support.installer import Installer, run_here, snapshot
from ..support.project import GITLAB, ROOT, ROUTES, render

HEAD = re.compile(r"# ID: (\w+)\n")
DIGEST = "0123456789abcdef"
SESSION = "3f0c1d6e-8a52-4c59-9d3c-5a3c0c1d6e8a"


def name_below_id(hook: str) -> str:
    return HEAD.sub(r"\g<0># Hookwright project: my-hooks\n", hook)


def name_in_docstring(hook: str) -> str:
    return HEAD.sub("", hook).replace("by Hookwright.", "by Hookwright for my-hooks.")


FORMS: list[Callable[[str], str]] = [name_below_id, name_in_docstring]


@pytest.fixture(params=FORMS)
def older(
    request: pytest.FixtureRequest,
    both: Path,
    install: Installer,
    monkeypatch: pytest.MonkeyPatch,
) -> Installer:
    settings = json.loads((both / "settings.json").read_text())
    install.settings.write_text(json.dumps(settings))
    for hook in (both / "hooks").glob("*.py"):
        script = install.hook.with_name(hook.name)
        script.parent.mkdir(parents=True, exist_ok=True)
        form = request.param(hook.read_text())
        assert form != hook.read_text()
        script.write_text(form)
    for name in (
        f"docsearch-state-{SESSION}-{DIGEST}.json",
        f"docsearch-state-é-{DIGEST}.json",
        f"tool_routing-blocks-state-{SESSION}-{DIGEST}",
    ):
        (install.config / "hooks" / name).write_text("{}")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(install.config))
    monkeypatch.chdir(install.folder)
    return replace(install, project=both)


def test_each_hook_has_its_own_id(template: Path, tmp_path: Path) -> None:
    names = [path.name.partition(".")[0] for path in (ROOT / "template" / "hooks").glob("*.py*")]
    answers = {"hooks": names, "databases": [GITLAB], "routes": ROUTES}
    hooks = render(template, tmp_path / "project", **answers).glob("hooks/*.py")
    heads = {hook.stem: HEAD.match(hook.read_text().partition("\n")[2]) for hook in hooks}
    assert heads.keys() == {*names}
    ids = {hook: head[1].encode() if head else b"" for hook, head in heads.items()}
    assert ids == scripts.IDS
    assert len(set(ids.values())) == len(ids)


def test_older_copy_is_known(older: Installer) -> None:
    project = open_project(older.project)
    assert find_scopes(project) == ["user"]
    assert {handler.hook for handler in find_setup(None).ours} == {"docsearch", "tool_routing"}
    plain = older.hook.with_name("docsearch.py")
    assert f"{plain} is no longer needed: run python3" in run_here(older, "--check").stdout
    findings = [finding.line for finding in check_installed(find_setup(project.folder))]
    assert any(str(plain) in line for line in findings)
    assert run_here(older, "--uninstall").returncode == 0
    assert snapshot(older.config) == {}


def test_older_copy_is_replaced(older: Installer, both: Path) -> None:
    (older.config / "hooks" / "docsearch-blocks.tsv").write_text("kept\n")
    assert run_here(older).returncode == 0
    assert set(snapshot(older.config)) == {
        "hooks/PreToolUse/docsearch-my-hooks.py",
        "hooks/PreToolUse/tool_routing-my-hooks.py",
        "hooks/docsearch-blocks.tsv",
        "hooks/hookwright-my-hooks.json",
        "settings.json",
    }
    assert "docsearch.py" not in older.settings.read_text()
    assert older.hook.read_bytes() == (both / "hooks" / "docsearch.py").read_bytes()
    assert run_here(older, "--check").stdout == "all is well\n"
    assert run_here(older).stdout == "nothing to change\n"
    assert run_here(older, "--uninstall").returncode == 0
    assert snapshot(older.config) == {}


def test_older_copy_of_another_project_stays(
    older: Installer, template: Path, tmp_path: Path
) -> None:
    answers = {"project_name": "theirs", "databases": [GITLAB], "routes": ROUTES}
    theirs = replace(older, project=render(template, tmp_path / "theirs", **answers))
    before = snapshot(older.config)
    assert run_here(theirs).returncode == 0
    assert {**snapshot(older.config), **before}.keys() == snapshot(older.config).keys()
    assert run_here(theirs, "--check").stdout == "all is well\n"
    assert older.settings.read_text().count("/docsearch.py") == 2
    assert run_here(theirs, "--uninstall").returncode == 0
    assert set(snapshot(older.config)) == set(before)
    assert json.loads(older.settings.read_text()) == json.loads(before["settings.json"])


def test_older_copy_stays_while_another_scope_runs_it(older: Installer) -> None:
    local = older.settings_of("local")
    local.parent.mkdir()
    local.write_text(older.settings.read_text())
    plain = older.hook.with_name("docsearch.py")
    assert run_here(older).returncode == 0
    assert plain.exists()
    assert "docsearch is duplicated" in run_here(older, "--check").stdout
    assert run_here(older, "--scope", "local").returncode == 0
    assert not plain.exists()
    assert run_here(older, "--check").stdout.count("is duplicated") == 2


@pytest.mark.parametrize(
    ("name", "project"),
    [
        ("docsearch.py", ""),
        ("docsearch-a-b.py", "a-b"),
        ("tool_routing-x2.py", "x2"),
    ],
)
def test_project_is_in_the_name(both: Path, name: str, project: str) -> None:
    hook = (both / "hooks" / "docsearch.py").read_bytes()
    assert scripts.find_project(Path(name), hook) == project
    assert scripts.find_project(Path(name), hook.replace(b"\n", b"\r\n")) == project
    assert scripts.find_project(Path(name), b"print('mine')\n") is None


def test_other_id_is_no_mark() -> None:
    hook = b"# ID: " + b"0" * 32 + b"\n# Hookwright project: my-hooks\n"
    assert scripts.find_project(Path("docsearch.py"), hook) is None
