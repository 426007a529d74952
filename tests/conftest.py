"""Fixtures that keep the tests away from the user's home, git settings and Copier cache."""

from pathlib import Path

import pytest

from installer import Installer
from lesson_search.embedders import WordLlamaEmbedder
from lesson_search.records import Lesson
from lesson_search.store import Store, open_client
from project import GITHUB_API, GITLAB, KUBERNETES, PULL_REQUEST, ROUTES, copy_template, render
from repository import build_repository, start_project


@pytest.fixture(autouse=True)
def _isolated_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path_factory.mktemp("home")
    for variable in ("CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    for variable in ("HOOKWRIGHT_DEBUG", "TOOL_ROUTING_DEBUG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("COPIER_CACHE_DIR", str(home / "copier"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
    (home / "gitconfig").write_text(
        "[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n"
    )


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the template that is no git repository, so that Copier is quick."""
    return copy_template(tmp_path_factory.mktemp("template"))


@pytest.fixture(scope="session")
def project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a rendered project with the two databases of the examples, for reading only."""
    destination = tmp_path_factory.mktemp("project") / "my-hooks"
    return render(template, destination, databases=[GITLAB, KUBERNETES])


@pytest.fixture(scope="session")
def routed(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a rendered project with three routes and no databases, for reading only."""
    return render(template, tmp_path_factory.mktemp("routed") / "my-hooks", routes=ROUTES)


@pytest.fixture(scope="session")
def both(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a rendered project with both hooks, for reading only."""
    destination = tmp_path_factory.mktemp("both") / "my-hooks"
    return render(template, destination, databases=[GITLAB, KUBERNETES], routes=ROUTES)


@pytest.fixture
def hook(project: Path) -> Path:
    """Return the path of that project's docsearch hook."""
    return project / "hooks" / "docsearch.py"


@pytest.fixture(scope="session")
def routing(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the tool_routing hook of a project with two routes, for reading only."""
    destination = tmp_path_factory.mktemp("routing") / "my-hooks"
    routes = {"github-pr": PULL_REQUEST, "github-api": GITHUB_API}
    return render(template, destination, routes=routes) / "hooks" / "tool_routing.py"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Return an empty folder to serve as the client's configuration folder."""
    folder = tmp_path / "claude"
    folder.mkdir()
    return folder


@pytest.fixture
def install(project: Path, config: Path, tmp_path: Path) -> Installer:
    """Return what runs the project's install.py."""
    folder = tmp_path / "work"
    folder.mkdir()
    return Installer(project, config, folder)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a template repository with version 1.0.0."""
    return build_repository(tmp_path / "template")


@pytest.fixture
def started(repository: Path, tmp_path: Path) -> Path:
    """Return a committed project of that repository with the two databases of the examples."""
    return start_project(repository, tmp_path / "my-hooks", databases=[GITLAB, KUBERNETES])


@pytest.fixture(scope="session")
def embedder() -> WordLlamaEmbedder:
    """Return the embedder, which takes a moment to load."""
    return WordLlamaEmbedder()


@pytest.fixture
def store(tmp_path: Path) -> Store[Lesson]:
    """Return an empty store of lessons."""
    return Store(open_client(tmp_path / "db"), Lesson, "wordllama")
