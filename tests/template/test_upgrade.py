"""An installation made by an earlier commit keeps working and can be uninstalled exactly."""

import io
import os
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import copier
import pytest
import yaml

from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import open_project
from hookwright.template.store import copy_template
from hookwright_documentation.databases import INDEX_FILE, find_root
from hookwright_documentation.index.index_file import FORMAT

from ..support.acme_documentation import PREFIX, TOPICS, write_site
from ..support.git_repository import call_copier, git_save, update, write_data
from ..support.installer import snapshot
from ..support.lesson_server_process import LessonServer, run_lesson_server
from ..support.project import ROOT, Answer, prompt_event, run_hook, search_event

FORMER = "5d5dbd7"  # the last commit before clients and hooks moved into folders
LESSON = (
    "## Lesson: Docker build cache is lost after changing one line\n\nCopy the lock file first.\n"
)
PROMPT = "why is my docker build cache lost after changing one line of code?"
HOOKS = ["docsearch", "tool_routing", "lesson_search"]
SETTINGS = {  # formatted like by a user, keyed by client
    "claude": ("settings.json", b'{\n    "model": "x",\r\n  "hooks": {"PreToolUse": [ ]}\n}'),
    "codex": ("hooks.json", b'{"hooks": {}}'),
    "copilot": ("settings.json", b"{}\n"),
    "gemini": ("settings.json", b'{ // mine\n  "ui": {"theme": "x",},\n}\n'),
    "opencode": ("opencode.json", b'{"model": "x"}\n'),
    "qwen": ("settings.json", b""),
}
HOMES = {name: Path(f".{name}") for name in SETTINGS} | {"opencode": Path(".config", "opencode")}

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def former(tmp_path_factory: pytest.TempPathFactory) -> Path:
    command = ["git", "archive", "--format=tar", FORMER]
    completed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if completed.returncode:
        pytest.skip(f"the history does not have {FORMER}: {completed.stderr.decode().strip()}")
    folder = tmp_path_factory.mktemp("former")
    with tarfile.open(fileobj=io.BytesIO(completed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def read_example() -> dict[str, object]:
    example = yaml.safe_load((ROOT / "examples" / "devops.yml").read_text("utf-8"))
    return {**example, "project_name": "my-hooks", "hooks": HOOKS, "clients": [*SETTINGS]}


@pytest.fixture
def project(former: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "my-hooks"
    parts = tmp_path / "parts"
    shutil.copytree(former, parts, ignore=shutil.ignore_patterns(".git*", "tests", "benchmarks"))
    copier.run_copy(str(parts), folder, data=read_example(), defaults=True, quiet=True)
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home, work = Path.home(), tmp_path / "work"
    work.mkdir()
    for client, (name, content) in SETTINGS.items():
        path = home / HOMES[client] / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    monkeypatch.chdir(work)
    return home


def run_installer(project: Path, *options: str) -> str:
    command = [sys.executable, str(project / "install.py"), *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def list_clients() -> list[str]:
    return [word for name in SETTINGS for word in ("--client", name)]


def test_previous_installation_is_uninstalled(project: Path, home: Path) -> None:
    before = snapshot(home)
    run_installer(project, *list_clients())
    assert snapshot(home) != before
    assert run_own_installer(open_project(project), "--uninstall").faults == []
    assert snapshot(home) == before


def test_previous_installation_is_replaced(project: Path, home: Path, template: Path) -> None:
    before = snapshot(home)
    run_installer(project, *list_clients())
    answers = read_example()
    copier.run_copy(str(template), project, data=answers, defaults=True, overwrite=True, quiet=True)
    run_installer(project, *list_clients())
    assert run_installer(project, "--check", *list_clients()) == "all is well\n"
    run_installer(project, "--uninstall")
    assert snapshot(home) == before


def test_previous_project_is_updated(former: Path, tmp_path: Path) -> None:
    repository = tmp_path / "template"
    shutil.copytree(former, repository)
    git_save(repository, "v0.1.0")
    project, fresh = tmp_path / "my-hooks", tmp_path / "fresh"
    answers = write_data(tmp_path, **read_example())
    call_copier(tmp_path, "copy", "--defaults", "--data-file", answers, str(repository), project)
    git_save(project)
    for part in ("copier.yml", "template", "generator"):
        path = repository / part
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    copy_template(repository)
    git_save(repository, "v0.2.0")
    update(project, "--defaults")
    call_copier(tmp_path, "copy", "--defaults", "--data-file", answers, str(repository), fresh)
    shutil.rmtree(project / ".git")
    updated, rendered = snapshot(project), snapshot(fresh)
    stored = [yaml.safe_load(files.pop(".copier-answers.yml")) for files in (updated, rendered)]
    assert stored[0] == stored[1]  # the order may differ: new questions come last
    assert updated == rendered


def find_modules(former: Path) -> str:
    return os.pathsep.join(str(former / part) for part in ("generator", "server", "console"))


@contextmanager
def run_former_server(former: Path, folder: Path) -> Iterator[LessonServer]:
    with run_lesson_server(folder, PYTHONPATH=find_modules(former)) as server:
        yield server


def ask(project: Path, server: LessonServer) -> str:
    script = project / "hooks" / "lesson_search.py"
    code = script.read_text("utf-8").replace("127.0.0.1:7731", server.url.partition("://")[2])
    script.write_text(code, "utf-8")
    return run_hook(script, prompt_event(PROMPT), Path("/nowhere")).stdout


def test_older_hook_queries_a_new_server(project: Path, tmp_path: Path) -> None:
    with run_lesson_server(tmp_path / "data") as server:
        server.ask("/api/ingest", {"text": LESSON})
        assert "Copy the lock file" in ask(project, server)


def test_new_hook_queries_an_older_server(former: Path, template: Path, tmp_path: Path) -> None:
    project = tmp_path / "my-hooks"
    copier.run_copy(str(template), project, data=read_example(), defaults=True, quiet=True)
    with run_former_server(former, tmp_path / "data") as server:
        server.ask("/api/ingest", {"text": LESSON})
        assert "Copy the lock file" in ask(project, server)


def remove_index(index: Path) -> None:
    index.unlink()


def write_former_format(index: Path) -> None:
    with closing(sqlite3.connect(index)) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT - 1}")


def test_new_hook_answers_from_an_older_database(
    former: Path, indexed: Path, tmp_path: Path
) -> None:
    def run(*words: object, **variables: str) -> None:
        command = [sys.executable, "-m", "hookwright", *map(str, words)]
        environment = {**os.environ, **variables}
        subprocess.run(command, check=True, capture_output=True, env=environment, cwd=tmp_path)

    def search(query: str) -> Answer:
        script = indexed / "hooks" / "docsearch.py"
        return run_hook(script, search_event(query), tmp_path / "claude")

    words = ("setup", "acme", write_site(tmp_path / "site"), "--prefix", PREFIX, "--yes")
    run(*words, "--project", tmp_path / "my-hooks", PYTHONPATH=find_modules(former))
    assert TOPICS["session"] in search("acme signed cookies of sessions").reason
    for number, change in enumerate((remove_index, write_former_format)):
        (index,) = (find_root() / "acme").glob(f"*/{INDEX_FILE}")
        change(index)
        assert search(f"acme signed cookies of sessions, {number}") == Answer(0, "", "")
        run("refresh", "acme", "--yes")
        assert TOPICS["session"] in search(f"acme signed cookies of sessions, {number}").reason
