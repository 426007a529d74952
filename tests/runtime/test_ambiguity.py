"""A keyword counts only beside a word of `with`, and beside none of `unless`."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.ambiguity import drop_ambiguous

from ..support.project import GITLAB, KUBERNETES, render, run_hook, search_event

GO = {**GITLAB, "keywords": ["go", "golang"], "description": "Go", "domains": ["go.dev"]}
WORDS = {"with": ["golang", "C++", "生成"], "unless": ["karts", "Pokemon GO"]}


@pytest.fixture(scope="module")
def ambiguous(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the hook of a database with both fields, and of one with neither."""
    project = tmp_path_factory.mktemp("ambiguous") / "project"
    databases = [{**GO, **WORDS}, KUBERNETES]
    return render(template, project, databases=databases) / "hooks" / "docsearch.py"


@pytest.mark.parametrize(
    "query", ["GOLANG", "go or c++?", "go生成", "go golang pokemon", "golang kartsx"]
)
def test_meant(ambiguous: Path, config: Path, query: str) -> None:
    """A keyword counts beside a word of `with`, which may be a keyword itself."""
    assert run_hook(ambiguous, search_event(query), config).denied


@pytest.mark.parametrize("query", ["go", "go c", "golangs go", "golang KARTS", "golang pokemon go"])
def test_not_meant(ambiguous: Path, config: Path, query: str) -> None:
    """Without a word of `with`, or with one of `unless`, a search goes through without a word."""
    assert run_hook(ambiguous, search_event(query), config).silent


def test_others_still_deny(ambiguous: Path, config: Path) -> None:
    """Where one of several databases is not meant, the search is denied for the others."""
    answer = run_hook(ambiguous, search_event("go kubectl"), config)
    assert answer.reason == "Query matches 'kubectl' - using RAG database instead"


def test_domains_are_certain(ambiguous: Path, config: Path) -> None:
    """A search that is restricted to the database's domains is subject to neither field."""
    event = search_event("go karts", allowed_domains=["go.dev"])
    assert run_hook(ambiguous, event, config).denied
    assert run_hook(ambiguous, event, config).silent


@pytest.mark.parametrize(
    ("query", "why"),
    [("golang karts", "'unless', 'golang', ['karts']"), ("go", "'with', 'go', ['golang'")],
)
def test_debug_mode_explains(ambiguous: Path, config: Path, query: str, why: str) -> None:
    """Debug mode names the keyword, the database, and the word beside it or those that lack."""
    answer = run_hook(ambiguous, search_event(query), config, HOOKWRIGHT_DEBUG="1")
    assert why in answer.stderr


def test_only_rendered_where_needed(project: Path, ambiguous: Path) -> None:
    """A hook whose databases have neither field does not have the code."""
    assert "drop_ambiguous" not in (project / "hooks" / "docsearch.py").read_text("utf-8")
    assert "drop_ambiguous" in ambiguous.read_text("utf-8")


LISTS = st.none() | st.lists(st.text("abé+- ", min_size=1, max_size=3), min_size=1, max_size=3)


@given(st.text("abé+-_ ", max_size=12), LISTS, LISTS)
def test_agrees_with_lookarounds(
    query: str, unless: "list[str] | None", beside: "list[str] | None"
) -> None:
    """In scripts with spaces, the rule is what lookarounds for word characters would do."""

    def occurs(words: "list[str]") -> bool:
        return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", query) for word in words)

    record: dict[str, Any] = {"description": "x"}
    record.update({} if unless is None else {"unless": unless})
    record.update({} if beside is None else {"with": beside})
    meant = not occurs(unless or []) and (beside is None or occurs(beside))
    named = [(0, "named", "a", 1)]
    assert drop_ambiguous(named, {"query": query}, [record], []) == (named if meant else [])
