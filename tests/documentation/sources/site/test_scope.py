"""Only one language and one version of the documentation is collected."""

import pytest

from hookwright_documentation.sources.site.markup import Markup
from hookwright_documentation.sources.site.scope import (
    Scope,
    choose_version,
    find_language_folder,
    find_version_folder,
    find_versions,
    is_language,
)

SITE = "https://docs.example.org/"


def links(*paths: str) -> tuple[str, ...]:
    return tuple(SITE + path for path in paths)


def test_exclusions_are_skipped() -> None:
    scope = Scope(SITE, exclusions=("blog/", "news.html"))
    taken = [path for path in ("blog/a", "news.html", "a/blog/b", "a") if scope.takes(SITE + path)]
    assert taken == ["a/blog/b", "a"]


def test_other_language_folders_are_skipped() -> None:
    scope = Scope(SITE, "en")
    scope.note_links(links("en/a", "fr/a", "pt-br/a", "go/a", "api/a"))
    taken = [path for path in ("en", "fr", "pt-br", "go", "api") if scope.takes(f"{SITE}{path}/b")]
    assert taken == ["en", "go", "api"]


def test_only_folder_resembling_a_language_is_kept() -> None:
    scope = Scope(SITE, "en")
    scope.note_links(links("id/a", "it/a"))
    assert scope.takes(f"{SITE}it/b")
    assert not scope.note_language(f"{SITE}it/a", "it-IT")
    assert not scope.takes(f"{SITE}it/b")
    assert scope.takes(f"{SITE}id/b")


def test_other_regions_of_a_language_are_skipped() -> None:
    scope = Scope(SITE, "pt-br")
    scope.note_links(links("pt-br/a", "pt-pt/a", "en-us/a"))
    assert [path for path in ("pt-br", "pt-pt", "en-us") if scope.takes(f"{SITE}{path}/b")] == [
        "pt-br"
    ]


@pytest.mark.parametrize(
    ("paths", "version"),
    [
        (("stable/a", "latest/a", "3.1/a"), "stable"),
        (("latest/a", "3.1/a"), "latest"),
        (("v2.9/a", "v2.10/a", "v3.0-rc1/a"), "v2.10"),
        (("current/a", "15/a", "16/a"), "current"),
        (("a", "b", "c", "next/a", "2.x/a"), ""),
        (("1/a", "2/a"), ""),
        (("latest/a", "api/a"), ""),
    ],
)
def test_version_is_chosen(paths: tuple[str, ...], version: str) -> None:
    scope = Scope(SITE, "en")
    scope.note_links(links(*paths))
    assert scope.version == version
    others = scope.versions - {version}
    assert not any(scope.takes(f"{SITE}{other}/a") for other in others)
    assert scope.takes(f"{SITE}{version}/a" if version else f"{SITE}a")


def test_requested_version_is_used() -> None:
    scope = Scope(SITE, "en", "3.1")
    scope.note_links(links("stable/a", "3.1/a"))
    assert scope.version == "3.1"


def test_late_versions_are_considered() -> None:
    scope = Scope(SITE, "en")
    scope.note_links(links("", "start"))
    scope.note_links(links("latest/a", "3.1/a"))
    scope.note_links(links("stable/a", "3.1/b"))
    assert [path for path in ("latest", "3.1", "stable") if scope.takes(f"{SITE}{path}/b")] == [
        "latest"
    ]


def test_versions_next_to_current_pages_are_skipped() -> None:
    scope = Scope(SITE, "en")
    scope.note_links(links("a", "b", "c"))
    scope.note_links(links("1.x/a", "2.x/a"))
    assert not scope.takes(f"{SITE}2.x/a")


def test_chapters_are_not_versions() -> None:
    assert find_versions({"1", "2", "api"}) == set()
    assert find_versions({"dev", "api"}) == set()


def test_language_and_version_folders_are_found() -> None:
    assert find_language_folder(f"{SITE}en/5.0/a.html") == "en"
    assert find_version_folder(f"{SITE}en/5.0/a.html") == "5.0"
    assert find_version_folder(f"{SITE}en/a/5.0.html") == ""


def test_highest_number_is_the_newest_version() -> None:
    assert choose_version({"3.9", "3.10", "3.2"}) == "3.10"


def test_ordinary_words_are_not_languages() -> None:
    assert is_language("zh_CN")
    assert not is_language("go")
    assert not is_language("api")


def test_linked_translations_are_skipped() -> None:
    scope = Scope(SITE, "en")
    urls = [*links("fr/a", "en/a"), "https://other.example.org/de/"]
    scope.note_markup(Markup(alternates=dict(zip(("fr", "en", "de"), urls, strict=True))))
    assert scope.mirrors == {"fr"}
