"""Text that is invisible on a page is removed, so that agents never read it."""

import re
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hookwright_documentation.sharing.hidden_text import DroppedText, drop_hidden, drop_texts

from ...support.shared_archives import make_page

PARTS = (
    *("```", "````", "~~~", "<!-- x -->", "<!--", "-->", "<p hidden>", "</p>", "`", "a", "\t", " "),
    *("\n", "\n\n", "\n    ", "\n  ", "\n- ", "\n1. ", "\n> "),
)
LINKS = (
    *("[a", "![a", "]", "](", "](b", "(", ")", "<", ">", ' "c"', " 'c'", ' "c', '"', "\\", "`"),
    *("``", " ", "\n", "\n\n", "\n> ", "\n- ", "\n  ", "[a]: b", "[a\nb]: b", "a@b.c"),
    *("x" * 1_001, "\n```\n", "|", "\n|---|\n"),
)
KEPT = (
    "a < b and c > d, x<5",
    "`<!-- in code -->` and \\<!-- told -->",
    "```html\n<!-- in a block -->\n<p hidden>shown</p>\n```",
    "````\n```\n<!-- nested -->\n````",
    "- item\n  ```\n  <b style='display:none'>\n  ```",
    "1. item\n\n   ```html\n   <!-- in a list -->\n\n   <p hidden>\n   ```\n2. another",
    "~~~\n<!-- in a block -->\n~~~",
    "[text](page.html#x) and [1]: see there",
    "\\<script> is a tag",
    "`[a](b 'c')` and\n\n```\n[a]: # (in a block)\n[a](b 'c')\n```",
    "x = [1]: no definition",
    "```c++\nx | y\n```\n\n~~~ objective-c\n~~~",
    "| a | b |\n|---|---|\n| `x\\|y` | \\\\\\| |\n|  | z |\n\na | b | c",
)
DROPPED = {
    "One<!-- run this --> two": "One two",
    "One<!-- run\n\nthis --> two": "One two",
    "One <!-- without end": "One ",
    "One<p hidden>run</p> two": "One two",
    "One<p HIDDEN='hidden'>run</p> two": "One two",
    "One<div style='display:none'>run<div>more</div>this</div> two": "One two",
    'One<span style="color:red; visibility: hidden">run</span> two': "One two",
    "One<span style=font-size:0>run</span> two": "One two",
    "One<i style='opacity: 1e-3'>run</i> two": "One two",
    "One<font color=white>run</font> two": "One two",
    "One<xmp popover>run</xmp> two": "One two",
    "One<script>run</script> two": "One two",
    "One<template>run</template> two": "One two",
    "One<p hidden>run to the end": "One",
    "One<img hidden src=x> two": "One two",
    "One\n\n[//]: # (run this)\n\ntwo": "One\n\n\n\ntwo",
    "One\n\n[comment]: <> (run this)\n\ntwo": "One\n\n\n\ntwo",
    "```\ncode\n```\n<!-- run -->": "```\ncode\n```\n",
    "> <!-- run\n> this --> two": "> " + " two",
    "- a\n      ```\n  <!-- run -->\n      ```": ("- a\n      \\`\\`\\`\n  \n      \\`\\`\\`"),
    "- a\n  ```\n<!-- run -->\n  ```\n  ```": "- a\n  ```\n\n  ```\n  ```",
    "a\n    ```\n    <!-- run -->\n\n    b\n    ```": (
        "a\n    \\`\\`\\`\n    \n\n    b\n    \\`\\`\\`"
    ),
    "```\na\n````\n<!-- run -->\n```\n```": "```\na\n````\n\n```\n```",
    "```\na\n     ```\n```\n<!-- run -->\n```\n```": "```\na\n     ```\n```\n\n```\n```",
    "```\na\n```\t\n<!-- run -->\n```\n```": "```\na\n```\t\n\n```\n```",
    "~~~\n```\n~~~\n<!-- run -->\n```\n```": "~~~\n```\n~~~\n\n```\n```",
    "b <!-- c\n-   a -->\n    ```\n    d\n    ```": "b \n    \\`\\`\\`\n    d\n    \\`\\`\\`",
    "One\n\n[a]: https://x.example/run-this\n\ntwo": "One\n\n\n\ntwo",
    "> [//]: # (run this)\n\ntwo": "\n\ntwo",
    "- one\n\n  [a]: x 'run this'\n\ntwo": "- one\n\n\n\ntwo",
    'One\n\n[a]:\n  /x\n  "run\n  this"\n\ntwo': "One\n\n\n\ntwo",
    'One [link](x.html "run this") two': "One [link](x.html) two",
    "One [link](<#y>\n'run this' ) two": "One [link](<#y>) two",
    "One ![image](x.png (run this)) two": "One \\![image](x.png) two",
    "```python run this\nx\n```": "```python\nx\n```",
    "- a\n  ~~~ run-this-whatever-it-is\n  x\n  ~~~": "- a\n  ~~~\n  x\n  ~~~",
    "> ```{.c}\n> x\n> ```": "> ```\n> x\n> ```",
}
ESCAPED = {
    "One<b>two</b>": "One\\<b>two\\</b>",
    "One<i aria-hidden=true>two</i>": "One\\<i aria-hidden=true>two\\</i>",
    "<div>\n`<!-- not code in HTML -->`\n</div>": (
        "\\<div>\n`<!-- not code in HTML -->`\n\\</div>"
    ),
    "<?php run ?>": "\\<?php run ?>",
    "![a](b.png)": "\\![a](b.png)",
    "| a |\n|---|\n| b | c |": "| a |\n|---|\n| b \\| c |",
    "> a | b\n> -|:-:\n> c \\\\| d | e": "> a | b\n> -|:-:\n> c \\\\| d \\| e",
    "| a |\n|---|\n| `b | <p hidden> | ` |": "| a |\n|---|\n| `b \\| <p hidden> \\| ` |",
    "<1`@b.example> `": "\\<1`@b.example> `",
    '[a](https://x.example/(b) "c")': '[a\\](https://x.example/(b) "c")',
    '[a](https://x.example/\\(b "c")': '[a\\](https://x.example/\\(b "c")',
    '[a](b\\) "c")': '[a\\](b\\) "c")',
    '[a](b "c\\"d")': '[a\\](b "c\\"d")',
    '> [a](b\n> "c")': '> [a\\](b\n> "c")',
    '`a\nb` [c](d "e") `': '\\`a\nb` [c](d "e") `',
    "`a\nb` <!-- c --> `": "\\`a\nb` <!-- c --> `",
}


def drop(text: str) -> tuple[str, int]:
    dropped = DroppedText()
    return drop_texts(text, dropped), dropped.texts


def test_visible_text_is_kept() -> None:
    for text in KEPT:
        assert drop(text) == (text, 0)


def test_invisible_text_is_removed() -> None:
    for text, visible in DROPPED.items():
        assert drop(text) == (visible, 1)


def test_other_markup_becomes_text() -> None:
    for text, visible in ESCAPED.items():
        assert drop(text) == (visible, 0)


def test_fields_are_cleaned() -> None:
    dropped = DroppedText()
    page = drop_hidden(make_page("x\u200b", "a\u202eb\n"), dropped)
    assert page.title == "How to x"
    assert (dropped.characters, dropped.texts, dropped.pages) == (2, 0, 1)


@given(
    st.lists(st.sampled_from(["<", "!--", "-->", "`", "\\", "p hidden>", "</p>", "a", "\n", " "]))
)
def test_cleaning_is_idempotent(parts: list[str]) -> None:
    cleaned, _ = drop("".join(parts))
    assert drop(cleaned) == (cleaned, 0)


@given(st.lists(st.sampled_from(PARTS), max_size=40))
@example(["a", "\n    ", "```", "\n    ", "<!-- x -->", "\n\n", "    ", "```"])
def test_scripts_cannot_hide_text(parts: list[str]) -> None:
    cleaned, _ = drop("".join(parts))
    tokens = MarkdownIt("commonmark").parse(cleaned)
    each = [part for token in tokens for part in (token, *(token.children or ()))]
    assert not [token.content for token in each if token.type in {"html_block", "html_inline"}]


@given(st.lists(st.sampled_from(LINKS), max_size=40))
@example(["[a", "](b", ' "c"', ")"])
@example(["`", "x" * 1_001, "x" * 1_001, "`", "[a", "](b", ' "c"', ")", "`"])
@example(["](b", "`", ")", "`", "[a", "](b", ' "c"', ")", "`"])
@example(["<", "x", "`", "a@b.c", ">", "[a", "](b", ' "c"', ")", "`"])
def test_links_have_no_titles(parts: list[str]) -> None:
    cleaned, _ = drop("".join(parts))
    environment: dict[str, Any] = {}
    tokens = MarkdownIt("commonmark").enable("table").parse(cleaned, environment)
    assert not environment.get("references")
    each = [part for token in tokens for part in token.children or ()]
    assert not [token.attrs["title"] for token in each if "title" in token.attrs]


@given(
    st.lists(
        st.sampled_from(("| ", " |", "|", "a", "`", "\\", "\n", "\n|---|\n", "\n-|-\n", "\n> "))
    )
)
@example(["| ", "a", " |", "\n|---|\n", "| ", "a", " |", "a", " |"])
@example(["\n-|-\n", "| ", "|", "\n|---|\n", "| ", "| ", "a"])
def test_cells_outside_a_table_are_removed(parts: list[str]) -> None:
    cleaned, _ = drop("".join(parts))
    seen = MarkdownIt("commonmark").enable("table").render(cleaned)
    assert re.sub("<[^>]*>", "", seen).count("a") == cleaned.count("a")
