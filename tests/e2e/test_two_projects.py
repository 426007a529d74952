"""Two projects can be installed side by side in the real client."""

from pathlib import Path

import pytest

from ..support.installer import snapshot
from ..support.project import GITLAB, render
from .clients.claude import Claude
from .model import Call

SEARCH = Call("WebSearch", {"query": "gitlab ci cache"})
NAMES = ("one", "one-more")
SETTINGS = '{"permissions": {"allow": []} ,\t"hooks": {"PreToolUse":[]}}\n'


@pytest.fixture
def projects(claude: Claude, template: Path) -> list[Path]:
    databases = [{**GITLAB, "mcp_tool_name": f"mcp__{name}__search"} for name in NAMES]
    return [
        render(template, claude.home / name, project_name=name, databases=[database])
        for name, database in zip(NAMES, databases, strict=True)
    ]


def test_both_projects_deny_once(claude: Claude, projects: list[Path]) -> None:
    for project in projects:
        claude.install_settings(project)
    run = claude.converse([SEARCH], [SEARCH])
    assert run.errors == [[True], [False]]
    assert len(run.web) == 1
    for name in NAMES:
        assert f"mcp__{name}__search" in run.main[0].notes


@pytest.mark.parametrize("order", [1, -1])
def test_either_project_works_without_the_other(
    claude: Claude, projects: list[Path], order: int
) -> None:
    assert claude.config
    claude.config.mkdir()
    (claude.config / "settings.json").write_text(SETTINGS)
    before = snapshot(claude.config)
    for project in projects:
        claude.install_settings(project)
    first, last = projects[::order]
    claude.install_settings(first, "--uninstall")
    run = claude.converse([SEARCH], [SEARCH])
    assert run.errors == [[True], [False]]
    assert f"mcp__{last.name}__search" in run.main[0].notes
    assert f"mcp__{first.name}__search" not in run.main[0].notes
    claude.install_settings(last, "--uninstall")
    left = snapshot(claude.config)
    assert {name: left.get(name) for name in before} == before
    assert not [name for name in left if "hook" in name]
