"""A template is rendered only into the project, never into a repository's .git."""

from pathlib import Path

import pytest

from hookwright.project.change import create_project, plan_change
from hookwright.project.reader import open_project

from ...support.command_line import run_hookwright
from ...support.git_repository import git, git_save
from ...support.project import GITLAB, ROOT


@pytest.fixture
def evil(repository: Path, tmp_path: Path) -> Path:
    """Add a template version that makes git run a program; return the file this program creates."""
    run = tmp_path / "run"
    for name in (".git", ".GIT", "docs/.git"):
        folder, _, last = f"template/{name}".rpartition("/")
        place = repository / folder / f"{{{{ '{last}' }}}}"
        place.mkdir(parents=True)
        (place / "config").write_text(f'[filter "x"]\nclean = "touch \'{run}\'; cat"\n')
    (repository / "template" / ".gitattributes").write_text("* filter=x\n")
    git_save(repository, tag="1.0.1")
    return run


def test_nothing_is_rendered_into_a_repository(
    repository: Path, evil: Path, tmp_path: Path
) -> None:
    project = tmp_path / "new" / "ours"
    create_project(project, {"databases": [GITLAB]}, str(repository))
    assert (project / ".gitattributes").exists()
    assert not [path for path in project.rglob("*") if path.name.lower() == ".git"]
    assert not evil.exists()


def test_newer_template_runs_no_code(started: Path, evil: Path) -> None:
    change = plan_change(open_project(started), {}, "")
    assert ".gitattributes" in change.files
    assert not [name for name in change.files if ".git/" in name.lower()]
    assert not evil.exists()


@pytest.mark.parametrize(
    ("template", "settings"),
    [
        ("{repository}", {"protocol.ext.allow": "always", "url.{ext}.insteadOf": "{repository}"}),
        pytest.param("git@127.0.0.1:acme/x.git", {"include.path": "more"}, marks=pytest.mark.long),
    ],
)
def test_settings_of_the_current_folder_run_no_code(
    repository: Path, tmp_path: Path, template: str, settings: dict[str, str]
) -> None:
    folder, run = tmp_path / "unpacked", tmp_path / "run"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / ".git" / "more").write_text(f"[core]\nsshCommand = \"touch '{run}' #\"\n")
    values = {"repository": repository, "run": run, "ext": f"ext::sh -c touch% {run} #"}
    for key, value in settings.items():
        git(folder, "config", key.format_map(values), value.format_map(values))
    name = template.format_map(values)
    answers = ROOT / "examples" / "devops.yml"
    words = ("new", tmp_path / "ours", "--data-file", answers, "--no-install", "--yes")
    ended = run_hookwright(*words, "--template", name, folder=folder)
    assert "Traceback" not in ended.errors
    assert not run.exists(), ended.errors
