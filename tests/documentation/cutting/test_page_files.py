"""Page files are human-readable, and malformed files are rejected."""

import dataclasses
from pathlib import Path

import pytest

from hookwright_console.errors import RefusedError
from hookwright_documentation.cutting import list_pages, read_page, write_page
from hookwright_documentation.pages import Page

from . import CRAWLED, URL

PAGE = Page(URL, 'A "page": é', "3.11", "MIT", CRAWLED, "# A\n\n---\n\ntext\n")


def test_file_is_human_readable(tmp_path: Path) -> None:
    """The YAML front matter describes the page; the markdown follows."""
    path = write_page(PAGE, tmp_path)
    assert path.read_text(encoding="utf-8") == (
        f'---\nurl: "{URL}"\ntitle: "A \\"page\\": é"\nversion: "3.11"\nlicense: "MIT"\n'
        'crawled: "2026-11-23"\n---\n\n# A\n\n---\n\ntext\n'
    )
    assert read_page(path) == PAGE
    assert list_pages(tmp_path) == [path]


def test_same_page_yields_the_same_bytes(tmp_path: Path) -> None:
    before = write_page(PAGE, tmp_path).read_bytes()
    assert write_page(PAGE, tmp_path).read_bytes() == before
    assert len(list_pages(tmp_path)) == 1


URLS = [
    "https://docs.example/",
    "https://docs.example/A",
    "https://docs.example/a",
    "https://docs.example/a/",
    "https://docs.example/a?b=c",
    "https://docs.example/a%2Fb",
    "https://docs.example/" + "x/" * 1_500,
    "https://docs.example/../../etc/passwd",
    "https://docs.example/con",
    "https://docs.example/a:b*c|d.",
    "https://docs.example/é",
    "file:///usr/share/doc/a.html",
]


def test_file_names_are_safe_and_unique(tmp_path: Path) -> None:
    paths = [write_page(dataclasses.replace(PAGE, url=url), tmp_path) for url in URLS]
    assert len({path.name.lower() for path in paths}) == len(URLS)
    assert all(path.parent == tmp_path and len(path.name) < 100 for path in paths)
    assert all(path.name.removesuffix(".md").replace("-", "").isalnum() for path in paths)
    assert {read_page(path).url for path in list_pages(tmp_path)} == set(URLS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('url: "', "url: '"),
        (f'"{URL}"', '"javascript:x"'),
        (f'"{URL}"', f'"{URL}#a"'),
        (f'"{URL}"', f'"{URL}2"'),
        (f'"{URL}"', '["x"]'),
        ('"3.11"', "3.11"),
        ('"3.11"', '"a\\nb"'),
        ('"MIT"', '"\\u202e"'),
        ('"MIT"', '"M\\u0049T"'),
        ('"MIT"', '["x"]'),
        ('"2026-11-23"', '"today"'),
        ("license", "licence"),
        ("---\nurl", "+++\nurl"),
        ("text", "te\u200bxt"),
        ("text", "```\ntext"),
        ("\n", "\r\n"),
    ],
)
def test_other_files_are_rejected(tmp_path: Path, before: str, after: str) -> None:
    path = write_page(PAGE, tmp_path)
    content = path.read_text(encoding="utf-8")
    path.write_bytes(content.replace(before, after).encode())
    with pytest.raises(RefusedError, match=r": not a valid page file: rebuild it$") as error:
        read_page(path)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("content", [b"", b"---\n", b"\xff", b"---\n" + b"[" * 100_000, b"\0"])
def test_invalid_bytes_are_rejected(tmp_path: Path, content: bytes) -> None:
    path = write_page(PAGE, tmp_path)
    path.write_bytes(content)
    with pytest.raises(RefusedError):
        read_page(path)


def test_missing_file_and_folder_are_rejected(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("no.md", "folder"):
        with pytest.raises(RefusedError, match="cannot be read"):
            read_page(tmp_path / name)


def test_renamed_page_is_rejected(tmp_path: Path) -> None:
    path = write_page(PAGE, tmp_path)
    with pytest.raises(RefusedError, match="not a valid page file"):
        read_page(path.rename(tmp_path / f"a{path.name}"))


def test_other_files_are_not_listed(tmp_path: Path) -> None:
    path = write_page(PAGE, tmp_path)
    (tmp_path / "README.md").write_text("x", encoding="utf-8")
    assert list_pages(tmp_path) == [path]


@pytest.mark.parametrize("field", ["title", "version", "license"])
def test_unreadable_page_is_not_written(tmp_path: Path, field: str) -> None:
    with pytest.raises(RefusedError, match="title or text is not valid"):
        write_page(dataclasses.replace(PAGE, **{field: "a\nb"}), tmp_path)
    assert list(tmp_path.iterdir()) == []
