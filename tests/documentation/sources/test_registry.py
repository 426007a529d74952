"""A source's kind is determined by its text and by the files in its folder."""

from pathlib import Path

import pytest

from hookwright_documentation.sources.registry import find_kind, find_source


def tell(text: str) -> str:
    kind, _ = find_kind(text)
    return kind.module.split(".")[2]


def test_kind_is_determined_by_the_words() -> None:
    for text, kind in [
        ("https://flask.palletsprojects.com/", "site"),
        ("https://github.com/pallets/flask", "git"),
        ("https://github.com/pallets/flask/", "git"),
        ("https://github.com/pallets/flask/tree/main/docs", "git"),
        ("https://gitlab.com/owner/name/-/tree/main/docs/x", "git"),
        ("https://github.com/pallets/flask/wiki/Page", "site"),
        ("https://git.acme.example/x/y.git", "git"),
        ("git+https://git.acme.example/x/y", "git"),
        ("ext::sh -c id.git", "folder"),
        ("https://docs.acme.example/llms-full.txt", "llms_full"),
        ("https://documents.devdocs.io/python~3.12/", "devdocs"),
        ("https://docs.acme.example/x/db.json?1", "devdocs"),
        ("https://[", "site"),
        ("python:flask,jinja2", "python_packages"),
        ("docs", "folder"),
        ("a\0b", "folder"),
    ]:
        assert tell(text) == kind


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (("db.json", "index.json"), "devdocs"),
        (("db.json",), "folder"),
        (("HEAD", "objects", "refs"), "git"),
    ],
)
def test_kind_is_determined_by_the_files(tmp_path: Path, names: tuple[str, ...], kind: str) -> None:
    for name in names:
        (tmp_path / name).touch()
    assert tell(str(tmp_path)) == kind


def test_llms_full_file_is_recognised(tmp_path: Path) -> None:
    for name, kind in (("llms-full.txt", "llms_full"), ("page.html", "folder")):
        (tmp_path / name).touch()
        assert tell(str(tmp_path / name)) == kind


@pytest.mark.parametrize(
    ("source", "path"),
    [("/srv/docs", "/srv/docs"), ("git+/x", "/x"), ("https://e.org/", ""), ("python:x", "")],
)
def test_source_location_is_parsed(source: str, path: str) -> None:
    assert find_source(source).place == path
