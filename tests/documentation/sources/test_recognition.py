"""The kind of a source is told by how it is written, and by what a folder holds."""

from pathlib import Path

import pytest

from hookwright_documentation.sources.recognition import Kind, find_kind, find_path


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("https://flask.palletsprojects.com/", Kind.SITE),
        ("https://github.com/pallets/flask", Kind.GIT),
        ("https://github.com/pallets/flask/", Kind.GIT),
        ("https://github.com/pallets/flask/tree/main/docs", Kind.GIT),
        ("https://gitlab.com/owner/name/-/tree/main/docs/x", Kind.GIT),
        ("https://github.com/pallets/flask/wiki/Page", Kind.SITE),
        ("https://git.acme.example/x/y.git", Kind.GIT),
        ("git+https://git.acme.example/x/y", Kind.GIT),
        ("ext::sh -c id.git", Kind.FOLDER),
        ("https://docs.acme.example/llms-full.txt", Kind.WHOLE),
        ("https://documents.devdocs.io/python~3.12/", Kind.DEVDOCS),
        ("https://docs.acme.example/x/db.json?1", Kind.DEVDOCS),
        ("https://[", Kind.SITE),
        ("python:flask,jinja2", Kind.PYTHON),
        ("docs", Kind.FOLDER),
    ],
)
def test_kind_is_told_by_the_words(source: str, kind: Kind) -> None:
    assert find_kind(source) == kind


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (("db.json", "index.json"), Kind.DEVDOCS),
        (("db.json",), Kind.FOLDER),
        (("HEAD", "objects", "refs"), Kind.GIT),
    ],
)
def test_kind_is_told_by_the_files(tmp_path: Path, names: tuple[str, ...], kind: Kind) -> None:
    for name in names:
        (tmp_path / name).touch()
    assert find_kind(str(tmp_path)) == kind


def test_text_file_is_a_whole_documentation(tmp_path: Path) -> None:
    for name, kind in (("llms-full.txt", Kind.WHOLE), ("page.html", Kind.FOLDER)):
        (tmp_path / name).touch()
        assert find_kind(str(tmp_path / name)) == kind


@pytest.mark.parametrize(
    ("source", "path"),
    [("/srv/docs", "/srv/docs"), ("git+/x", "/x"), ("https://e.org/", ""), ("python:x", "")],
)
def test_path_of_a_source_is_known(source: str, path: str) -> None:
    assert find_path(source) == path
