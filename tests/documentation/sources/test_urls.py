"""URLs are normalised."""

import pytest

from hookwright_documentation.sources.urls import (
    find_twins,
    find_url_folder,
    is_file,
    is_list,
    list_folders,
    normalize,
)

SITE = "https://docs.example.org"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTPS://Docs.Example.org:443/a#b", f"{SITE}/a"),
        (f"{SITE}", f"{SITE}/"),
        (f"{SITE}/a/index.html", f"{SITE}/a/"),
        (f"{SITE}/a;jsessionid=1F2E?x=1&PHPSESSID=9&utm_source=z", f"{SITE}/a?x=1"),
        (f"{SITE}/a?sid=1&highlight=b", f"{SITE}/a"),
        (f"{SITE}/a?q=c++&empty", f"{SITE}/a?q=c++&empty"),
        (f"{SITE}/grüße", f"{SITE}/gr%C3%BC%C3%9Fe"),
        ("http://[::1]:8000/a", "http://[::1]:8000/a"),
    ],
)
def test_each_page_has_one_url(url: str, expected: str) -> None:
    assert normalize(url) == expected


def test_unsupported_url_is_rejected() -> None:
    for url in [
        *("ftp://a/b", "file:///etc/passwd", "javascript:x", "https://u:p@a/b", "https://[/"),
        *("a", "", "http://a:99999/", "http://a b/"),
    ]:
        assert normalize(url) == ""


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        (f"{SITE}/a/b.html", f"{SITE}/a/"),
        (f"{SITE}/a/b", f"{SITE}/a/b/"),
        (f"{SITE}/3.12/", f"{SITE}/3.12/"),
        (f"{SITE}/", f"{SITE}/"),
    ],
)
def test_prefix_is_the_folder_of_a_page(url: str, folder: str) -> None:
    assert find_url_folder(url) == folder


def test_parent_folders_are_listed_up_to_the_site() -> None:
    assert list_folders(f"{SITE}/a/b/") == [f"{SITE}/a/b/", f"{SITE}/a/", f"{SITE}/"]
    assert list_folders(f"{SITE}/") == [f"{SITE}/"]


def test_markdown_covers_its_html() -> None:
    assert f"{SITE}/a/" in find_twins(f"{SITE}/a/index.md")
    assert f"{SITE}/a.html" in find_twins(f"{SITE}/a.md")
    assert find_twins(f"{SITE}/a.html") == []


@pytest.mark.parametrize("path", ["genindex-A.html", "search.html", "api/_sources/a.txt"])
def test_page_lists_are_not_pages(path: str) -> None:
    assert is_list(path)


@pytest.mark.parametrize("path", ["topics/db/search.html", "changes.html", "login/", "a_sources/b"])
def test_page_about_searching_is_a_page(path: str) -> None:
    assert not is_list(path)


def test_downloads_are_not_pages() -> None:
    assert is_file(f"{SITE}/manual.pdf")
    assert not is_file(f"{SITE}/re.html")
