"""Searches find the passages that answer a query, with at most one passage per page."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_documentation.databases import INDEX_FILE
from hookwright_documentation.index import (
    DocumentationIndex,
    PassageHit,
    build_index,
)
from hookwright_documentation.pages import NamedTarget, Passage

from .passages import COOKING, SITE, make_passage


def index(passages: Sequence[Passage], folder: Path, *names: NamedTarget) -> DocumentationIndex:
    build_index(passages, names, folder / INDEX_FILE)
    return DocumentationIndex(folder / INDEX_FILE)


def list_anchors(hits: Sequence[PassageHit]) -> list[str]:
    return [f"{hit.url.removeprefix(SITE)}#{hit.anchor}" for hit in hits]


def test_hit_contains_the_passage(cooking: DocumentationIndex) -> None:
    hit = cooking.search("how to knead yeast dough")[0]
    passage = COOKING[2]
    assert (hit.url, hit.anchor) == (passage.url, passage.anchor)
    assert (hit.headings, hit.text) == (passage.headings, passage.text)


def test_each_page_is_returned_once(cooking: DocumentationIndex) -> None:
    hits = cooking.search("pasta in broth, baked in the oven")
    assert "soup.html#noodles" in list_anchors(hits)
    assert len({hit.url for hit in hits}) == len(hits) == 4
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_result_limit_is_respected(cooking: DocumentationIndex) -> None:
    assert [len(cooking.search("bread broth oven", number)) for number in (0, 1, 3, 20)] == [
        0,
        1,
        3,
        4,
    ]


def test_long_pages_leave_room_for_others(tmp_path: Path) -> None:
    long = [make_passage("long.html", f"s{number}", "broth and pasta") for number in range(150)]
    hits = index([*long, *COOKING], tmp_path).search("broth pasta oven", 4)
    assert len({hit.url for hit in hits}) == 4


def test_equal_passages_are_sorted_by_page(tmp_path: Path) -> None:
    pages = [f"{number}.html" for number in range(130)]
    same = [make_passage(page, "", "broth and pasta", headings=("Soup",)) for page in pages]
    hits = index([*same[:3], *COOKING, *same[3:]], tmp_path).search("pasta in a broth", 20)
    equal = [hit for hit in hits if hit.text == same[0].text]
    assert [hit.url for hit in equal] == [SITE + page for page in pages[: len(equal)]]
    assert len(equal) > 10
    assert len({hit.score for hit in equal}) == 1


@pytest.mark.parametrize("query", ["Oven.setTemperature", "set temperature", "setTemperature"])
def test_names_are_found_by_their_parts(cooking: DocumentationIndex, query: str) -> None:
    assert list_anchors(cooking.search(query, 1)) == ["tools.html#Oven.setTemperature"]


def test_meaning_is_found_without_shared_words(cooking: DocumentationIndex) -> None:
    assert list_anchors(cooking.search("spaghetti dish", 1)) == ["soup.html#noodles"]


def test_name_is_found_at_its_definition(cooking: DocumentationIndex) -> None:
    assert list_anchors(cooking.search("flour")) == ["bread.html#dough"]


def test_unknown_word_is_found_by_meaning(cooking: DocumentationIndex) -> None:
    assert list_anchors(cooking.search("spaghetti", 1)) == ["soup.html#noodles"]


@pytest.mark.parametrize("target", ["bread.html#oven", "soup.html#broth"])
def test_link_text_finds_a_passage(tmp_path: Path, target: str) -> None:
    linking = make_passage("index.html", links=((target, "breakfast buns"),) * 3)
    hits = index([*COOKING, linking], tmp_path).search("breakfast buns")
    assert list_anchors(hits)[0] == target


def test_index_entry_finds_a_passage(tmp_path: Path) -> None:
    entry = NamedTarget("zwieback", f"{SITE}bread.html#oven")
    hits = index(COOKING, tmp_path, entry).search("zwieback")
    assert list_anchors(hits)[0] == "bread.html#oven"


def test_popular_passages_rank_first(tmp_path: Path) -> None:
    twins = [make_passage(f"{name}.html", "salt", "Add salt.") for name in "ab"]
    linking = [
        make_passage(f"{number}.html", text="Pepper", links=(("b.html#salt", "there"),))
        for number in range(9)
    ]
    hits = index([*twins, *linking], tmp_path).search("adding salt", 2)
    assert list_anchors(hits) == ["b.html#salt", "a.html#salt"]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("bake at 220 degrees", "bread.html#oven"),
        ("what's new: bake at 220 degrees", "whatsnew.html#v2"),
    ],
)
def test_changelogs_rank_last_unless_requested(
    cooking: DocumentationIndex, query: str, first: str
) -> None:
    assert list_anchors(cooking.search(query))[0] == first


def test_best_passage_lists_other_anchors_on_the_page(
    cooking: DocumentationIndex, tmp_path: Path
) -> None:
    hit, *_ = cooking.search("pasta in broth")
    assert (hit.anchor, hit.further) == ("noodles", (("broth", "broth"),))
    long = [
        make_passage("long.html", f"s{at // 2}", f"broth {at}", headings=("Long", f"S{at // 2}"))
        for at in range(20)
    ]
    (hit,) = index(long, tmp_path).search("broth")
    assert len({hit.anchor, *dict(hit.further)}) == 4


@pytest.mark.parametrize(
    ("query", "covered"),
    [
        ("knead flour", True),
        ("kneading the FLOUR", True),
        ("knead concrete", False),
        ("quantum flour entanglement", False),
        ("spaghetti", False),
    ],
)
def test_coverage_shows_unanswered_words(
    cooking: DocumentationIndex, query: str, *, covered: bool
) -> None:
    assert (cooking.search(query)[0].coverage > 0.5) is covered


def test_most_common_word_ranks_passages_with_a_rarer_word(tmp_path: Path) -> None:
    texts = {"hot broth": 1_600, "hot water": 1_700, "hot oil": 2_000, "broth water": 1}
    passages = [
        make_passage("soup.html", str(number), text, headings=("Soup",))
        for number, text in enumerate(Counter(texts).elements())
    ]
    (hit,) = index(passages, tmp_path).search("broth water")
    assert (hit.text, hit.coverage) == ("broth water", 1.0)


@pytest.mark.parametrize(
    ("query", "found"),
    [("vegetabels", "soup.html#broth"), ("shortley", "soup.html#noodles")],
)
def test_misspelled_words_are_found(cooking: DocumentationIndex, query: str, found: str) -> None:
    hit, *_ = cooking.search(query)
    assert (list_anchors([hit])[0], hit.coverage) == (found, 1.0)


CHINESE = (
    make_passage("zh.html", "depends", "每个软件包的依赖关系都写在控制文件里。"),
    make_passage("zh.html", "source", "源代码包含上游作者的原始文件。"),
    make_passage("ja.html", "keys", "パッケージの依存関係を解決します。"),
    make_passage("ko.html", "keys", "패키지의 의존성을 해결합니다."),
    make_passage("th.html", "keys", "การติดตั้งแพ็กเกจใหม่"),
)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("依赖", "zh.html#depends"),
        ("软件包的依赖关系", "zh.html#depends"),
        ("源代码", "zh.html#source"),
        ("依存関係", "ja.html#keys"),
        ("パッケージ", "ja.html#keys"),
        ("의존성", "ko.html#keys"),
        ("แพ็กเกจ", "th.html#keys"),
    ],
)
def test_scripts_without_spaces_are_found(tmp_path: Path, query: str, found: str) -> None:
    assert list_anchors(index(CHINESE, tmp_path).search(query))[0] == found


@pytest.mark.parametrize("query", ["", " \n", "\0", "\ud800"])
def test_queries_without_words_return_nothing(cooking: DocumentationIndex, query: str) -> None:
    assert len(cooking.search(query, 1)) <= 1


@settings(max_examples=30)
@given(
    st.text(max_size=30)
    | st.sampled_from(['"', "NEAR(", "*", "c++", "a AND", "the of", "x" * 9999])
)
def test_any_query_is_answered(cooking: DocumentationIndex, query: str) -> None:
    assert len(cooking.search(query)) <= 5


def test_concurrent_searches_return_the_same_results(cooking: DocumentationIndex) -> None:
    queries = ["bake bread", "boil bones", "add pasta", "how hot is the oven"] * 10
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(cooking.search, queries)) == list(map(cooking.search, queries))


def test_empty_documentation_can_be_searched(tmp_path: Path) -> None:
    assert index([], tmp_path).search("bread") == []


@pytest.mark.parametrize("text", ["", "```\nprint('ü')\n```", "\ud800", "\0", '"\\', "](" * 500])
def test_passage_may_contain_any_text(tmp_path: Path, text: str) -> None:
    passage = Passage(SITE, "", (), text, (("http://[", text), ("", "")))
    (hit,) = index([passage], tmp_path).search("print anything")
    assert hit.text == text.encode("utf-8", "replace").decode()
