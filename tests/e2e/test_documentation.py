"""A search that the hook denies is answered by the documentation database, in the real client."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.acme_documentation import PREFIX, write_site
from .clients.claude import Claude
from .model import Call

TOOL = "mcp__hookwright-docs__search_docs"
ROCKETS = {"engine": "Ignite the engine with a spark, and watch the pressure of the chamber."}
LOAD = Call("ToolSearch", {"query": f"select:{TOOL}", "max_results": 5})


def run_hookwright(claude: Claude, *words: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "hookwright", *words],
        cwd=claude.home / "work",
        env={
            **claude.environment,
            "NO_PROXY": "127.0.0.1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "GIT_CONFIG_GLOBAL": str(claude.home / "gitconfig"),
        },
        stdin=subprocess.DEVNULL,
        check=True,
    )


@pytest.fixture(scope="module")
def documented(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Claude:
    """Return a client for whom two documentations were set up; the last test removes one."""
    home = tmp_path_factory.mktemp("documented") / "a home"
    (home / "work").mkdir(parents=True)
    claude = Claude(binary, home, home / "a config")
    (claude.home / "gitconfig").write_text("[user]\nname = Me\nemail = me@example.invalid\n")
    for name, topics in (("acme", None), ("rocket", ROCKETS)):
        site = write_site(claude.home / name, topics)
        if topics:
            write_site(site, {**topics, "fuel": "Keep the fuel cold until the countdown ends."})
        prefix = PREFIX.replace("guide", name)
        words = ("setup", name, str(site), "--prefix", prefix, "--project", "my-hooks", "--yes")
        run_hookwright(claude, *words)
    return claude


def search(database: str, query: str) -> Call:
    return Call(TOOL, {"database": database, "query": query})


@pytest.mark.long
def test_denied_search_is_answered_by_the_database(documented: Claude) -> None:
    web = Call("WebSearch", {"query": "acme signed cookies"})
    run = documented.converse([web], [LOAD], [search("acme", "signed cookies")])
    denied, _, answered = run.main
    assert denied.errors == [True]
    assert f"select:{TOOL}" in denied.notes
    assert json.dumps({"database": "acme"}) in denied.notes
    assert answered.errors == [False]
    assert f"{PREFIX.replace('guide', 'acme')}session.html" in answered.results[0].text
    assert run.web == ()


@pytest.mark.long
def test_query_for_two_databases_is_answered_by_both(documented: Claude) -> None:
    web = Call("WebSearch", {"query": "acme template for a rocket engine"})
    calls = [search("acme", "template engine"), search("rocket", "ignite the engine")]
    run = documented.converse([web], [LOAD], calls)
    denied, _, answered = run.main
    assert "PARALLEL" in denied.notes
    for name in ("acme", "rocket"):
        assert json.dumps({"database": name}) in denied.notes
    assert answered.errors == [False, False]
    for result, page in zip(answered.results, ("acme/template", "rocket/engine"), strict=True):
        assert f"https://docs.acme.example/{page}.html" in result.text


@pytest.mark.long
def test_removed_database_leaves_the_search_alone(documented: Claude) -> None:
    run_hookwright(documented, "remove", "acme", "--project", "my-hooks", "--yes")
    first = Call("WebSearch", {"query": "acme signed cookies"})
    run = documented.converse([first, Call("WebSearch", {"query": "rocket fuel"})])
    assert run.errors == [[False, True]]
