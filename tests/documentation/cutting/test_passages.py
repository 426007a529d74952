"""A page is split at headings and definitions, and no passage is too long to read."""

import pytest

from hookwright_documentation.cutting import split
from hookwright_documentation.cutting.page_files import has_open_fence
from hookwright_documentation.cutting.passages import LENGTH, MAX_HEADING, REST
from hookwright_documentation.pages import Page, Passage

from . import CRAWLED, URL


def split_text(text: str) -> list[Passage]:
    return split(Page(URL, "T", "", "", CRAWLED, text))


def test_passages_follow_headings() -> None:
    text = "# T {#top}\n\na\n\n## `B` \\{#x} {#b #c}\n\nb\n\n### C\n\nc\n\n## D\n\nd\n"
    assert [(part.headings, part.anchor, part.aliases, part.text) for part in split_text(text)] == [
        (("T",), "top", (), "a"),
        (("T", "B {#x}"), "b", ("c",), "b"),
        (("T", "B {#x}", "C"), "", (), "c"),
        (("T", "D"), "", (), "d"),
    ]


def test_text_after_a_subsection_belongs_to_its_parent() -> None:
    text = "# T\n\na\n\n## B {#b}\n\nb\n\n---\n\nc\n\n---\n\n---\n\nd"
    assert [(part.anchor, part.text) for part in split_text(text)] == [
        ("", "a\n\nc"),
        ("b", "b"),
        ("", "d"),
    ][:2] or [part.text for part in split_text(text)] == ["d", "a\n\nc", "b"]


def test_headings_in_code_are_ignored() -> None:
    text = "# T\n\n```\n# a {#a}\n---\n[x](y)\n```\n\n- x\n\n  ````\n  ```\n# b {#b}\n  ````\n"
    (passage,) = split_text(text)
    assert passage.text == text.removeprefix("# T\n\n").rstrip()
    assert passage.targets == ()


@pytest.mark.parametrize(
    ("line", "text", "targets"),
    [
        ("a [b](#c)", "a b", ((f"{URL}#c", "b"),)),
        ("[`x[0]`](../y.html#z)", "`x[0]`", (("https://docs.example/y.html#z", "x[0]"),)),
        (
            "[a [b](c)](d)",
            "a b",
            (("https://docs.example/guide/c", "b"), ("https://docs.example/guide/d", "a b")),
        ),
        ("[a\\](b)", "[a\\](b)", ()),
        ("`[a](b)`", "`[a](b)`", ()),
        ("a](b)", "a](b)", ()),
        ("[é](x#%c3%a9)", "é", (("https://docs.example/guide/x#%C3%A9", "é"),)),
        ("[a](http://[x)", "a", (("http://[x", "a"),)),
    ],
)
def test_links_are_reduced_to_their_text(
    line: str, text: str, targets: tuple[tuple[str, str], ...]
) -> None:
    (passage,) = split_text(f"# T\n\n{line}\n")
    assert (passage.text, passage.targets) == (text, targets)


def test_heading_of_subsections_is_not_a_passage() -> None:
    """A heading with subsections becomes part of their paths; other headings start passages."""
    text = "# T\n\n## Functions {#f}\n\n### `a()` {#a}\n\n#### `b()` {#b}\n\nB.\n\n## Last {#l}\n"
    assert [part.anchor for part in split_text(text)] == ["a", "b", "l"]


def test_long_code_is_split_into_fences() -> None:
    code = [f"line {number} = `````" for number in range(400)]
    text = "\n".join(["# T", "", "``````python", *code, "``````"])
    parts = [part.text.split("\n") for part in split_text(text)]
    assert len(parts) > 3
    assert all(part[0] == "``````python" and part[-1] == "``````" for part in parts)
    assert [line for part in parts for line in part[1:-1]] == code


def test_long_table_repeats_its_header() -> None:
    rows = [f"| {number} | {'x' * 50} |" for number in range(200)]
    parts = split_text("\n".join(["# T", "", "| A | B |", "|---|---|", *rows]))
    assert all(part.text.startswith("| A | B |\n|---|---|\n| ") for part in parts)
    assert [line for part in parts for line in part.text.split("\n")[2:]] == rows


@pytest.mark.parametrize(
    "text",
    [
        "A sentence of words. " * 500,
        "word " * 2_000,
        "x" * 10_000,
        "\n".join(f"- item {number}" for number in range(900)),
        "\n\n".join("A paragraph of some words, which is not long." for _ in range(200)),
        "- a\n\n  ```\n" + "  code\n" * 900 + "  ```\n",
    ],
)
def test_long_text_is_split(text: str) -> None:
    parts = [part.text for part in split_text(f"# T\n\n{text}")]
    assert len(parts) > 1
    assert max(map(len, parts)) <= 2 * LENGTH + REST
    assert not any(map(has_open_fence, parts))
    joined = "".join("".join(parts).split()).replace("`", "")
    assert joined == "".join(text.split()).replace("`", "")


def test_short_remainder_stays_with_the_previous_part() -> None:
    text = "\n\n".join(["A paragraph. " * 30] * 5 + ["The end. " * 12])
    assert len(text) > LENGTH
    assert len(split_text(f"# T\n\n{text}")) == 1


def test_links_stay_with_their_part() -> None:
    text = "\n\n".join(f"[link {number:03}](#l{number}) " + "word " * 40 for number in range(40))
    for part in split_text(f"# T\n\n{text}"):
        assert [label for _, label in part.targets] == [
            f"link {number:03}" for number in range(40) if f"link {number:03}" in part.text
        ]


def test_long_heading_is_truncated() -> None:
    long = "a `b` " * 100_000
    page = Page(URL, long, "", "", CRAWLED, f"# {long}\n\n## {long}\n\na\n\n### C\n\nb\n")
    passages = split(page)
    assert [passage.text for passage in passages] == ["a", "b"]
    assert all(len(heading) <= MAX_HEADING for passage in passages for heading in passage.headings)
