"""Fixtures that provide each test with a real client in a separate home folder."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ..browser.conftest import driver  # noqa: F401 - a fixture
from ..support.lesson_server_process import run_lesson_server
from .clients import CLIENTS
from .clients.claude import WAYS, Claude
from .clients.client import Client
from .lessons import FAILURE, LESSON

PACKAGES = Path(__file__).parent / "node_modules"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="write docs/clients.json anew")


def find_binary(client: type[Client]) -> Path:
    binaries = sorted(PACKAGES.glob(client.program))
    if not binaries:
        npm = "" if shutil.which("npm") else " (npm is missing, too: it comes with Node.js)"
        pytest.skip(f"{client.name} is not installed: run npm ci --prefix tests/e2e{npm}")
    return binaries[0]


@pytest.fixture(scope="session")
def binary() -> Path:
    return find_binary(Claude)


@pytest.fixture(scope="session")
def lesson_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with run_lesson_server(tmp_path_factory.mktemp("lesson-server") / "data") as server:
        for text in (LESSON, FAILURE):
            server.ask("/api/ingest", {"text": text})
        yield server.url


@pytest.fixture
def claude(binary: Path, tmp_path: Path) -> Claude:
    home = tmp_path / "a home"
    return Claude(binary, home, home / "a config").prepare()


@pytest.fixture
def set_up(tmp_path: Path) -> Callable[[str], Client]:
    return lambda name: CLIENTS[name](find_binary(CLIENTS[name]), tmp_path / "a home").prepare()


@pytest.fixture
def my_hooks(claude: Claude, project: Path) -> Path:
    return Path(shutil.copytree(project, claude.home / "my hooks"))


@pytest.fixture
def installed(claude: Claude, my_hooks: Path) -> Claude:
    return claude.install_settings(my_hooks)


@pytest.fixture(params=WAYS)
def installed_each_way(request: pytest.FixtureRequest, claude: Claude, my_hooks: Path) -> Claude:
    return WAYS[request.param](claude, my_hooks)
