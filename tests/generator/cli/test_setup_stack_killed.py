"""The same command resumes a stack setup that was killed at any point."""

import json
import signal
from pathlib import Path

import pytest

from hookwright.clients.claude.settings import locate_main
from hookwright.documentation.registration import locate_settings
from hookwright.project.reader import open_project
from hookwright_documentation.databases import find_root, list_names, list_unfinished

from ...support.acme_documentation import write_site
from ...support.git_repository import git
from ...support.interrupted_stack import run_to

SERVER = "hookwright-docs"
TOOL = f"mcp__{SERVER}__search_docs"
NAMES = ["acme", "rocket"]
# Where to kill a run: part of a file path, the number of the write to it, and the signal.
POINTS = {
    "index of the first": ("acme/work/building/index", 1, signal.SIGKILL),
    "new project": ("~/my-hooks/README.md", 1, signal.SIGKILL),
    "pages of the second": ("rocket/work/building/pages/", 2, signal.SIGINT),
    "update of the project": ("~/my-hooks/README.md", 2, signal.SIGKILL),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\ndependencies = ["acme", "rocket"]\n')
    for name in NAMES:
        write_site(tmp_path / f"site-of-{name}")
    return folder


@pytest.mark.long
@pytest.mark.parametrize("point", POINTS)
def test_same_command_resumes_the_setup(folder: Path, point: str) -> None:
    ending = POINTS[point][2]
    ended = run_to(folder, *POINTS[point])
    assert ended.returncode == (-ending if ending == signal.SIGKILL else 130), ended.stderr
    again = run_to(folder)
    assert again.returncode == 0, again.stderr
    assert (list_names(), list_unfinished()) == (NAMES, [])
    project = open_project(Path.home() / "my-hooks")
    assert [database["keywords"] for database in project.databases] == [["acme"], ["rocket"]]
    assert git(project.folder, "status", "--porcelain") == ""
    assert list(json.loads(locate_main().read_text())["mcpServers"]) == [SERVER]
    settings = json.loads(locate_settings().read_text())
    assert settings["permissions"]["allow"].count(TOOL) == 1
    assert "docsearch" in json.dumps(settings["hooks"])
    for name in NAMES:
        generations = [path for path in (find_root() / name).iterdir() if path.name[0].isdigit()]
        assert len(generations) == 1
