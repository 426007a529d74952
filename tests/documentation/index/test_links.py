"""Links and index entries add names to their target passages."""

from dataclasses import replace

from hookwright_documentation.index.links import (
    MAX_TEXT,
    REPEATED,
    Link,
    gather_texts,
    resolve_links,
)
from hookwright_documentation.pages import NamedTarget

from .passages import COOKING, SITE, make_passage


def test_links_point_to_passages() -> None:
    passage = make_passage(
        "index.html",
        links=(
            ("soup.html#noodles", "noodle \n soup"),
            ("bread.html", "baking"),
            ("soup.html#salt", "no such anchor"),
            ("elsewhere.html", "no such page"),
            ("soup.html", "  "),
        ),
    )
    links = resolve_links([*COOKING, passage], [])
    assert links == [Link(1, "noodle soup", counts=True), Link(2, "baking", counts=True)]


def test_links_resolve_to_anchor_aliases() -> None:
    insort = replace(make_passage("bisect.html", "insort_right"), aliases=("insort", "insort_left"))
    left = make_passage("bisect.html", "insort_left")
    asks = make_passage(
        "index.html", links=(("bisect.html#insort", "sorted"), ("bisect.html#insort_left", "left"))
    )
    links = resolve_links([insort, left, asks], [])
    assert links == [Link(0, "sorted", counts=True), Link(1, "left", counts=True)]


def test_index_entries_are_names_rather_than_links() -> None:
    links = resolve_links(COOKING, [NamedTarget("crust", f"{SITE}bread.html#oven")])
    assert links == [Link(3, "crust", counts=False)]


def test_repeated_text_counts_a_few_times() -> None:
    links = [Link(0, "Home", counts=True)] * 100 + [Link(0, "start", counts=True)]
    assert gather_texts(links, 2) == ["\n".join(["home"] * REPEATED + ["start"]), ""]


def test_long_texts_are_truncated() -> None:
    passage = make_passage("index.html", links=(("soup.html", "a" * 1_000),))
    assert [len(link.text) for link in resolve_links([*COOKING, passage], [])] == [MAX_TEXT]
