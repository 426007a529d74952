"""In the real client, a denied search is answered by the documentation database."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.acme_documentation import PREFIX, write_site
from .clients.claude import DELEGATE, Claude
from .model import Call

TOOL = "mcp__hookwright-docs__search_docs"
ROCKETS = {"engine": "Ignite the engine with a spark, and watch the pressure of the chamber."}


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
    """Return a client with two documentation databases, one of which the last test removes."""
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


def read(url: str) -> Call:
    return Call(TOOL.replace("search_docs", "read_page"), {"url": url})


SIGNED = Call("WebSearch", {"query": "acme signed cookies"})
SENTENCE = "Sessions are kept in signed cookies"
WEATHER = Call("WebSearch", {"query": "acme weather and salary in berlin"})


@pytest.mark.long
def test_denied_search_is_answered_in_the_denial(documented: Claude) -> None:
    run = documented.converse([SIGNED], [SIGNED], [WEATHER], [search("acme", "signed cookies")])
    assert {TOOL, TOOL.replace("search_docs", "read_page")} <= set(run.tools)
    denied, retried, uncovered, more = run.main
    assert denied.errors == [True]
    (result,) = denied.results
    assert f"{PREFIX.replace('guide', 'acme')}session.html" in result.text
    assert SENTENCE in result.text
    assert SENTENCE not in denied.notes
    assert "ToolSearch" not in result.text
    assert retried.errors == uncovered.errors == more.errors == [False]
    assert len(run.web) == 2
    assert SENTENCE in more.results[0].text


@pytest.mark.long
def test_page_fetch_is_answered_in_the_denial(documented: Claude) -> None:
    page = f"{PREFIX.replace('guide', 'acme')}session.html"
    call = Call("WebFetch", {"url": page, "prompt": "How are sessions kept?"})
    others = [
        Call("WebFetch", {**call.input, "url": page.replace("session", "other")}),
        Call("WebFetch", {**call.input, "prompt": "What is the salary in Berlin?"}),
    ]
    run = documented.converse([call, *others], [call], [read(page)])
    denied, retried, more = run.main
    first, *rest = [result.text for result in denied.results]
    assert "The page is in 'acme' - using RAG database instead" in first
    assert SENTENCE in first
    assert SENTENCE not in denied.notes
    # The other searches and the identical retry go to the web, which is unavailable in tests.
    assert not any("RAG" in text for text in (*rest, retried.results[0].text))
    assert SENTENCE in more.results[0].text


@pytest.mark.long
def test_parallel_searches_and_subagents_are_answered(documented: Claude) -> None:
    calls = [
        Call("WebSearch", {"query": f"acme {topic}"})
        for topic in ("signed cookies", "install from an empty directory", "proxy encryption")
    ]
    run = documented.converse(calls, [DELEGATE], subagent_script=[[SIGNED]])
    texts = ("signed cookies", "Run the installer", "Put a proxy")
    assert all(text in result.text for text, result in zip(texts, run.main[0].results, strict=True))
    assert run.main[0].errors == [True] * 3
    assert run.subagent_errors == [[[True]]]
    assert SENTENCE in run.subagents[0][0].results[0].text


@pytest.mark.long
def test_only_answering_databases_are_named(documented: Claude) -> None:
    queries = ("acme rocket", "acme rocket engine: ignite the engine with a spark")
    calls = [Call("WebSearch", {"query": query}) for query in queries]
    (denied,) = documented.converse(calls).main
    assert denied.errors == [True, True]
    assert "PARALLEL" in denied.notes
    text = denied.results[1].text
    assert "https://docs.acme.example/rocket/engine.html" in text
    assert json.dumps({"database": "acme"}) not in text


@pytest.mark.long
def test_removed_database_lets_the_search_through(documented: Claude) -> None:
    run_hookwright(documented, "remove", "acme", "--project", "my-hooks", "--yes")
    first = Call("WebSearch", {"query": "acme signed cookies"})
    run = documented.converse([first, Call("WebSearch", {"query": "rocket fuel"})])
    assert run.errors == [[False, True]]
