"""Each kind of manifest yields its dependencies and their versions."""

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_documentation.stack.manifest import (
    Dependency,
    Manifest,
    ProjectFolder,
    UnreadableError,
)
from hookwright_documentation.stack.manifests import KINDS, find_kind
from hookwright_documentation.stack.survey import read_stack

from ...support.manifest_samples import FILES


def read(path: str, text: str, root: Path) -> list[Dependency]:
    kind = find_kind(path)
    assert kind
    return list(kind.load()(Manifest(path, text, ProjectFolder(root))))


def test_manifest_is_parsed(tmp_path: Path) -> None:
    for path, (text, expected) in FILES.items():
        packages = read(path, dedent(text).lstrip("\n"), tmp_path)
        assert [
            (package.ecosystem, package.name, package.version, package.is_direct)
            for package in packages
        ] == expected


def test_every_kind_has_a_sample() -> None:
    tested = {find_kind(path) for path in FILES}
    places = {kind.place for kind in tested if kind}
    assert [kind for kind in KINDS if kind.place and kind.place not in places] == []


@pytest.mark.parametrize(
    "path", ["requirements.rst", "my.package.json", "docs/Dockerfiles", "x.lock"]
)
def test_other_files_are_not_manifests(path: str) -> None:
    assert find_kind(path) is None


def test_malformed_manifest_is_reported_in_one_line(tmp_path: Path) -> None:
    for path, text in [
        ("pyproject.toml", "x = ["),
        ("pyproject.toml", "a" + ".a" * 100 + " = 1"),
        ("pyproject.toml", "x = " + "[" * 10_000),
        ("package.json", "[]"),
        ("package.json", '{"a":' * 10_000),
        ("package.json", '{"a": 1' + "0" * 10_000 + "}"),
        ("compose.yml", "a: [b"),
        ("compose.yml", "[" * 10_000),
        ("pom.xml", "<project>"),
        ("pom.xml", "<a>" * 10_000),
        ("main.tf", "{" * 10_000),
    ]:
        with pytest.raises(UnreadableError) as error:
            read(path, text, tmp_path)
        assert "\n" not in str(error.value)


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    head = f'<!DOCTYPE x [<!ENTITY a SYSTEM "file://{tmp_path}/secret"><!ENTITY b "bbbb">]>'
    body = "<dependency><groupId>g&a;&b;</groupId><artifactId>x</artifactId></dependency>"
    (package,) = read("pom.xml", f"{head}<project>{body}</project>", tmp_path)
    assert package.name == "g:x"


@pytest.mark.parametrize("place", sorted({kind.place for kind in KINDS if kind.place}))
@settings(max_examples=15)
@given(data=st.data())
def test_any_text_is_parsed_or_rejected(place: str, data: st.DataObject) -> None:
    path = next(path for path in FILES if getattr(find_kind(path), "place", "") == place)
    sample = dedent(FILES[path][0])
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(sample))] * 2)))
    text = sample[:start] + data.draw(st.text(max_size=20)) + sample[end:]
    try:
        packages = read(path, text, Path())
    except UnreadableError:
        return
    assert all(
        isinstance(package.name, str) and isinstance(package.version, str) for package in packages
    )


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("requirements/base.txt", "python:read_requirements"),
        ("requirements/base/all.in", "python:read_requirements"),
        (".github/workflows/compose.yml", "infrastructure:read_github"),
        (".gitlab/ci/build.yml", "infrastructure:read_gitlab"),
        ("deploy/compose.yml", "infrastructure:read_compose"),
        ("tools/x/action.yaml", "infrastructure:read_github"),
    ],
)
def test_folder_determines_the_kind(path: str, place: str) -> None:
    kind = find_kind(path)
    assert kind
    assert kind.place == place


@pytest.mark.parametrize(
    ("name", "text", "limits"),
    [
        ("package.json", '{"dependencies": {"react": "^18.2.0"}}', "^18.2.0"),
        ("package.json", '{"dependencies": {"react": "18.2.0"}}', ""),
        ("package.json", '{"dependencies": {"react": "latest"}}', ""),
        ("requirements.txt", "django~=4.2\n", "~=4.2"),
        ("requirements.txt", "django>=4,<5\n", "<5,>=4"),
        ("pyproject.toml", '[tool.poetry.dependencies]\ndjango = "^4.2"\n', "^4.2"),
        ("Cargo.toml", '[dependencies]\nserde = "1.2"\n', "^1.2"),
        ("Cargo.toml", '[dependencies]\nserde = "=1.2.3"\n', ""),
    ],
)
def test_version_range_is_kept(tmp_path: Path, name: str, text: str, limits: str) -> None:
    (tmp_path / name).write_text(text)
    uses = {use.name: use for use in read_stack(tmp_path).uses}
    (dependency,) = (uses[package] for package in ("react", "django", "serde") if package in uses)
    assert dependency.limits == limits
