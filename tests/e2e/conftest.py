"""Fixtures that give each test a real Claude Code with a home of its own."""

import shutil
from pathlib import Path

import pytest

from .client import WAYS, Client

PACKAGES = Path(__file__).parent / "node_modules" / "@anthropic-ai"


@pytest.fixture(scope="session")
def binary() -> Path:
    """Return the client's executable, or skip the test where it is not installed."""
    found = sorted(PACKAGES.glob("claude-code-*/claude*"))
    if not found:
        npm = "" if shutil.which("npm") else " (npm is missing, too: it comes with Node.js)"
        pytest.skip(f"Claude Code is not installed: run npm ci --prefix tests/e2e{npm}")
    return found[0]


@pytest.fixture
def claude(binary: Path, tmp_path: Path) -> Client:
    """Return a client that nobody has set up yet, in folders with spaces, as many users have."""
    home = tmp_path / "a home"
    (home / "work").mkdir(parents=True)
    return Client(binary, home, home / "a config")


@pytest.fixture
def my_hooks(claude: Client, project: Path) -> Path:
    """Return a rendered project in the client's home, to be changed at will."""
    return Path(shutil.copytree(project, claude.home / "my hooks"))


@pytest.fixture(params=WAYS)
def installed(request: pytest.FixtureRequest, claude: Client, my_hooks: Path) -> Client:
    """Return a client with the hooks installed, in each way there is."""
    return WAYS[request.param](claude, my_hooks)
