"""An ambiguous keyword counts only if the other words of the search support it."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime import matching

from ..support.project import GITLAB, KUBERNETES, render, run_hook, search_event

GO = {**GITLAB, "keywords": ["Go", "golang"], "description": "Go", "domains": ["go.dev"]}
HELM = {**GITLAB, "keywords": ["helm", "eks"], "unless": ["boat", "logs"], "description": "EKS"}
ATLAS = {**GITLAB, "keywords": ["atlas"], "ambiguous": True, "description": "Atlas"}
PYTHON = {**GITLAB, "keywords": ["python"], "ambiguous": False, "description": "Python"}
RUST = {**GITLAB, "keywords": ["rust", "cargo"], "with": ["C++", "生成"], "description": "Rust"}


@pytest.fixture(scope="module")
def ambiguous(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tmp_path_factory.mktemp("ambiguous") / "project"
    databases = [GO, HELM, ATLAS, PYTHON, RUST, KUBERNETES]
    return render(template, project, databases=databases) / "hooks" / "docsearch.py"


@pytest.mark.parametrize(
    ("query", "keyword"),
    [
        ("go http server graceful shutdown context timeout", "Go"),
        ("GOLANG karts", "golang"),  # not an ordinary word
        ("go to the zoo with golang", "golang"),
        ("ship logs from eks", "eks"),
        ("helm steering wheel boat eks", "eks"),
        ("helm chart values.yaml", "helm"),
        ("atlas mongodb connection string timeout error", "atlas"),
        ("python bite treatment", "python"),  # the record sets ambiguous to false
        ("rust or c++?", "rust"),
        ("rust生成", "rust"),
        ("rust cargo steel", "cargo"),
    ],
)
def test_search_for_the_technology_is_denied(
    ambiguous: Path, config: Path, query: str, keyword: str
) -> None:
    answer = run_hook(ambiguous, search_event(query), config)
    assert answer.reason == f"Query matches '{keyword}' - using RAG database instead"


@pytest.mark.parametrize(
    "query",
    [
        "helm",
        "where to go on vacation in italy",
        "golangs",
        "helm boat wheel",
        "helm chart logs",  # custom field `unless`
        "atlas mountains hiking weather",
        "rust cargos",
        "rust compiler error",  # custom, counts only together with a word of `with`
    ],
)
def test_search_for_another_meaning_goes_through(ambiguous: Path, config: Path, query: str) -> None:
    assert run_hook(ambiguous, search_event(query), config).silent


def test_other_keywords_still_deny(ambiguous: Path, config: Path) -> None:
    answer = run_hook(ambiguous, search_event("go on vacation kubectl"), config)
    assert answer.reason == "Query matches 'kubectl' - using RAG database instead"


def test_domains_are_unambiguous(ambiguous: Path, config: Path) -> None:
    event = search_event("go karts", allowed_domains=["go.dev"])
    assert run_hook(ambiguous, event, config).denied
    assert run_hook(ambiguous, event, config).silent


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("helm boat", "'boat': -10000000"),
        ("rust", "'weighed', 'rust', {'rust': -1000}"),
        ("rust c++", "'c++': 2000"),
        ("go shopping", "'weighed', 'go', {"),
    ],
)
def test_debug_mode_explains_the_score(ambiguous: Path, config: Path, query: str, why: str) -> None:
    answer = run_hook(ambiguous, search_event(query), config, HOOKWRIGHT_DEBUG="1")
    assert why in answer.stderr


def test_code_is_rendered_only_where_needed(project: Path, ambiguous: Path) -> None:
    for name in ("is_meant", "\nPIECES ="):
        assert name not in (project / "hooks" / "docsearch.py").read_text("utf-8")
        assert name in ambiguous.read_text("utf-8")


def test_table_is_a_single_short_line(ambiguous: Path) -> None:
    lines = ambiguous.read_text("utf-8").splitlines()
    (table,) = [line for line in lines if line.startswith("PIECES =")]
    assert len(table.encode()) <= 6_000


def test_names_are_limited_to_the_project(ambiguous: Path) -> None:
    text = ambiguous.read_text("utf-8").split('AMBIGUOUS = """')[1].split('"""')[0]
    names = [row.partition("\t\t")[0] for row in text.strip().split("\n")]
    assert names == ["0 go", "1 helm", "2 atlas", "4 rust"]


# The schema rejects words with surrounding spaces.
LISTED = st.text("abé+- ", min_size=1, max_size=3).filter(lambda word: word == word.strip())
LISTS = st.none() | st.lists(LISTED, min_size=1, max_size=3)


@given(st.text("abé+-_ ", max_size=12), LISTS, LISTS)
def test_matching_agrees_with_lookarounds(
    query: str, unless: "list[str] | None", beside: "list[str] | None"
) -> None:
    def occurs(words: "list[str]") -> bool:
        return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", query) for word in words)

    row = "\n0 a\t\t" + ("1000" if beside is None else "-1000") + "\ta"
    row += "\t".join(["\t\t2000", *(word.casefold() for word in beside or ())])
    row += "\t".join(["\t\t-10000000", *(word.casefold() for word in unless or ())])
    meant = occurs(["a"]) and not occurs(unless or []) and (beside is None or occurs(beside))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "AMBIGUOUS", row)
        patch.setattr(matching, "PIECES", "-3\t a\tb\t\t3\té\t\t")
        patch.setattr(matching, "KEYWORDS", "\na\n")
        patch.setattr(matching, "JUDGES", (matching.is_meant,))
        assert bool(matching.match_keywords(query, [])) == meant


@given(st.one_of(st.text(max_size=200), st.text("gobain -_.é", max_size=40)))
def test_pieces_match_anywhere_and_own_words_match_whole(query: str) -> None:
    query = f"{query.casefold()} go"
    trace: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "AMBIGUOUS", "\n0 go\t\t-1\tgo\t\t4\tin go\tnab\n1 go\t\t9\tgo\n")
        patch.setattr(matching, "PIECES", "-3\t ba\tnab\t\t2\tgob\t\t")
        meant = matching.is_meant(0, "go", query, trace)
        assert matching.is_meant(0, "gob", query, trace)  # not an ordinary word
    expected = {"go": -1}
    expected |= {"in go": 4} if re.search(r"(?<![\w])in go(?!\w)", query) else {}
    expected |= {"gob": 2} if "gob" in query else {}
    expected |= {" ba": -3} if re.search(r"(^| )ba", query) else {}
    own = re.search(r"(?<!\w)nab(?!\w)", query)
    expected |= {"nab": 4 if own else -3} if "nab" in query else {}
    assert trace == [(0, "weighed", "go", expected)]
    assert meant == (sum(expected.values()) > 0)
