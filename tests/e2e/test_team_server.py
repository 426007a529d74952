"""The real Codex searches a team's server with a token from its environment."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..support.acme_documentation import PREFIX, write_site
from ..support.command_line import serve
from ..support.project import GITHUB_API, GITLAB, render
from .clients.codex import Codex
from .conftest import find_binary
from .model import Call

TOKEN = "HOOKWRIGHT_DOCS_TOKEN"  # noqa: S105 - a name
SECRET = "read-only"  # noqa: S105 - of the server of these tests
# Codex groups a server's tools in a namespace, whose name cannot contain hyphens.
SEARCH = Call("mcp__team_docs.search_docs", {"database": "acme", "query": "signed cookies"})
PAGE = f"{PREFIX}session.html"


class SignedCodex(Codex):
    """A Codex with a team server's token in its environment."""

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, TOKEN: SECRET}


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from hookwright_documentation.build import build
    from hookwright_documentation.databases import FOLDER
    from hookwright_documentation.recipes.recipe import Recipe

    folder = tmp_path_factory.mktemp("team")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(folder / "databases"))
        build(Recipe("acme", ("acme",), str(write_site(folder / "site")), PREFIX), None, print)
        tokens = {"LESSON_SEARCH_TOKEN": "full", "LESSON_SEARCH_READ_TOKEN": SECRET}
        with serve(folder / "lessons", "--search-processes", "1", **tokens) as url:
            yield url


def connect(codex: Codex, project: Path, url: str) -> None:
    codex.install(project)
    subprocess.run(
        [sys.executable, "-m", "hookwright", "connect", url, "--project", str(project), "--yes"],
        cwd=codex.home / "work",
        env={**codex.environment, TOKEN: SECRET, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        check=True,
    )


@pytest.mark.long
@pytest.mark.parametrize(("kind", "answers"), [(SignedCodex, True), (Codex, False)])
def test_codex_sends_the_token_from_its_environment(
    kind: type[Codex], *, answers: bool, team: str, template: Path, tmp_path: Path
) -> None:
    """Codex reads the token from the variable in its settings; without it, the server fails."""
    codex = kind(find_binary(kind), tmp_path / "a home").prepare()
    routes = {"api": GITHUB_API}
    project = tmp_path / "my-hooks"
    render(template, project, clients=["codex"], databases=[GITLAB], routes=routes)
    connect(codex, project, team)
    settings = (codex.home / ".codex" / "config.toml").read_text()
    assert f'bearer_token_env_var = "{TOKEN}"' in settings
    assert SECRET not in settings
    run = codex.converse([SEARCH])
    assert (PAGE in run.main[0].text) == answers
