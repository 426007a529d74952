"""A hook is known by its ID, whatever else changes, and one without an ID by its docstring."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright.doctor.installation import check_installed
from hookwright.doctor.setup import find_setup
from hookwright.project.installer import find_scopes
from hookwright.project.own_installer import is_installed_from
from hookwright.project.reader import open_project
from hookwright.project.template_modules import installation

from ..support.installer import Installer, run_here, snapshot
from ..support.project import ROOT

HEAD = re.compile(r"# ID: (\w+)\n# Hookwright project: my-hooks\n")


def reword(hook: str) -> str:
    """Return a hook whose docstring says something else."""
    return hook.replace("rendered by Hookwright for", "made for")


def take_id_out(hook: str) -> str:
    """Return a hook as it was rendered before hooks had an ID."""
    return HEAD.sub("", hook)


FORMS: list[Callable[[str], str]] = [reword, take_id_out]


@pytest.fixture(params=FORMS)
def other_form(
    request: pytest.FixtureRequest,
    both: Path,
    install: Installer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Installer:
    """Return what runs the install.py of a project whose hooks are in another form."""
    project = Path(shutil.copytree(both, tmp_path / "other form" / "my-hooks"))
    for hook in (project / "hooks").glob("*.py"):
        form = request.param(hook.read_text())
        assert form != hook.read_text()
        hook.write_text(form)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(install.config))
    monkeypatch.chdir(install.folder)
    return replace(install, project=project)


def test_each_hook_has_its_own_id(both: Path, lessons: Path) -> None:
    """Each hook of the template has the ID that it is known by, in two lines below the first."""
    hooks = [*both.glob("hooks/*.py"), *lessons.glob("hooks/*.py")]
    heads = {hook.stem: HEAD.match(hook.read_text().partition("\n")[2]) for hook in hooks}
    assert len(heads) == len(list((ROOT / "template" / "hooks").glob("*.py*")))
    ids = {hook: head[1].encode() if head else b"" for hook, head in heads.items()}
    assert ids == installation.IDS
    assert len(set(ids.values())) == len(ids)


def test_other_form_is_known(other_form: Installer) -> None:
    """What is installed is found, checked and taken out by whoever looks for it."""
    assert run_here(other_form).returncode == 0
    project = open_project(other_form.project)
    assert run_here(other_form).stdout == "nothing to change\n"
    assert run_here(other_form, "--check").stdout == "all is well\n"
    assert find_scopes(project) == ["user"]
    assert is_installed_from(project)
    assert [finding.status for finding in check_installed(find_setup(project.folder))] == ["ok"]
    assert {handler.hook for handler in find_setup(None).ours} == {"docsearch", "tool_routing"}
    assert run_here(other_form, "--uninstall").returncode == 0
    assert snapshot(other_form.config) == {}


def test_other_form_is_updated(other_form: Installer, both: Path) -> None:
    """It is replaced by the hook as it is rendered now, with no backup of it."""
    run_here(other_form)
    now = replace(other_form, project=both)
    assert "docsearch.py is stale" in run_here(now, "--check").stdout
    assert not is_installed_from(open_project(both))
    assert run_here(now).returncode == 0
    scripts = ["docsearch.py", "tool_routing.py"]
    assert sorted(path.name for path in other_form.hook.parent.iterdir()) == scripts
    assert other_form.hook.read_bytes() == (both / "hooks" / "docsearch.py").read_bytes()


def test_other_form_of_another_project(other_form: Installer) -> None:
    """A hook of another project is refused in every form."""
    run_here(other_form)
    plugin = other_form.project / ".claude-plugin" / "plugin.json"
    plugin.write_text(json.dumps({**json.loads(plugin.read_text()), "name": "theirs"}))
    before = snapshot(other_form.config)
    refused = "belongs to the project my-hooks, not to theirs: uninstall my-hooks first"
    assert refused in run_here(other_form).stderr
    assert snapshot(other_form.config) == before


def test_id_goes_before_the_docstring(both: Path) -> None:
    """The project is the one below the ID, and an ID that is none of ours is no mark."""
    hook = (both / "hooks" / "docsearch.py").read_bytes()
    assert installation.find_project(hook.replace(b"Hookwright for my-", b"Hookwright for x-")) == (
        "my-hooks"
    )
    assert installation.find_project(hook.replace(b"\n", b"\r\n")) == "my-hooks"
    assert (
        installation.find_project(b"# ID: " + b"0" * 32 + b"\n# Hookwright project: my-hooks\n")
        is None
    )
