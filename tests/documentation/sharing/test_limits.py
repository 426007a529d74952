"""Archive limits ensure that no page can block an import."""

from typing import Any

import pytest
from markdown_it import MarkdownIt

from hookwright_console.errors import RefusedError
from hookwright_documentation.sharing import archive as archives
from hookwright_documentation.sharing import hidden_text
from hookwright_documentation.sharing.archive import pack

from ...support.hypothesis_profiles import mark_long
from ...support.shared_archives import edit_manifest, list_files, make_page, read

SLOW = (
    *("- a\n", "- > a\n", "> a\nb\n", "- a\n1. a\n+ a\n", "[a\n", "[a]: b\n", "[a]: b\n[a]\n"),
    *(
        "> " * 20 + "a\n",
        "- " * 20 + "[a]: b\n",
        "a\n\n",
        "a\n=\n",
        "[" * 99 + "\n",
        "*a_" * 9 + "\n",
    ),
    *("- a\n  ```\n  b\n  ```\n", "[x](y 'z')\n", "<p hidden>\n", "<!-- <!-- -->\n"),
)


@pytest.mark.parametrize("part", [*SLOW[:3], *mark_long(SLOW[3:])])
def test_parser_input_is_limited(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line_counts: list[int] = []
    parse = MarkdownIt.parse

    def note(self: MarkdownIt, text: str, env: Any = None) -> Any:
        line_counts.append(text.count("\n"))
        return parse(self, text, env)

    most = 900
    monkeypatch.setattr(archives, "MAX_LINES", most)
    monkeypatch.setattr(MarkdownIt, "parse", note)
    for at_end in ("[a]: b\n", "- a\n  ```\n  b\n  ```\n"):
        text = part * (most // part.count("\n") - 20) + at_end
        read(pack(list_files((make_page("x", text),))))
        assert sum(line_counts) <= hidden_text.PASSES * most
        line_counts.clear()
        with pytest.raises(RefusedError, match=r": pages/.* lines, more than 900:"):
            read(pack(list_files((make_page("x", text + part * most),))))
        assert line_counts == []


def test_page_with_many_definitions_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_text, "parse_blocks", None)
    page = make_page("x", "# X\n\n" + "> - > 1. [a]: b\n" * 1_001)
    reason = r"acme.tar.bz2: pages/.* has 1,001 link definitions, more than 1,000:"
    with pytest.raises(RefusedError, match=reason):
        read(pack(list_files((page,))))


def test_pages_share_the_parser_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_text, "MAX_PARSED", 3_500)
    pages = [make_page(name, "- > a\n" * 500 + "\n[a]: b\n") for name in ("a", "b", "c")]
    assert read(pack(list_files(pages[:1]))).dropped.texts == 1
    reason = r": pages/docs-acme-example-c-.* has, with the pages before it, .* more than 3,500:"
    with pytest.raises(RefusedError, match=reason):
        read(pack(list_files(pages)))


def test_code_resembling_definitions_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_text, "parse_blocks", None)
    hints = (
        "```python\nnames: list[str]: x\n[a]: b\n```\n\ndict[str, int]: see [1]: there\n" * 2_000
    )
    assert not read(pack(list_files((make_page("x", hints),)))).dropped


def test_oversized_page_is_rejected() -> None:
    content = edit_manifest(lambda manifest: manifest["files"][1].update(size=6_000_000))
    reason = r"manifest.json: files: pages/.* has 6,000,000 bytes: expected 1 to 5,000,000:"
    with pytest.raises(RefusedError, match=reason):
        read(content)


@pytest.mark.parametrize("option", ["domains", "exclusions"])
def test_long_list_is_rejected(option: str) -> None:
    many = [f"a{number}.example" for number in range(101)]
    content = edit_manifest(lambda manifest: manifest.update(options={option: many}))
    with pytest.raises(RefusedError, match=rf"manifest.json: options.{option}: expected up to 100"):
        read(content)


def test_deeply_nested_hiding_is_rejected() -> None:
    nested = "<" * 9 + "!-- -->" + "!-- -->" * 9
    with pytest.raises(RefusedError, match="nests hidden text too deeply: ask"):
        read(pack(list_files((make_page("x", f"# X\n\n{nested}\n"),))))
