"""Recipe faults are reported in the author's terms."""

import os
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hookwright.cli.share.check import list_file_faults

from ...support.command_line import CommandLine

RECIPE = {
    "name": "acme",
    "description": "Acme, which flies rockets",
    "source": "https://docs.acme.example/guide/",
    "keywords": ["acme", "acme rocket"],
    "domains": ["acme.example"],
    "license": "MIT",
    "packages": {"pypi": ["acme"]},
}


def write(folder: Path, changes: dict[str, Any]) -> Path:
    path = folder / "acme.yml"
    values = {key: value for key, value in {**RECIPE, **changes}.items() if value is not None}
    path.write_text(yaml.safe_dump(values, allow_unicode=False), "utf-8")
    return path


def test_valid_recipe_has_no_faults(tmp_path: Path, hookwright_line: CommandLine) -> None:
    output = hookwright_line.output("share", "check", write(tmp_path, {}))
    assert output == "no problems in 1 recipe\n"


def test_fault_is_reported(tmp_path: Path, hookwright_line: CommandLine) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"name": "rocket"}, "name: rocket: call the file rocket.yml"),
        ({"name": "../x"}, "name: ../x: use lowercase letters"),
        ({"name": "acme\n"}, r"name: acme\n: remove the hidden characters"),
        ({"description": None}, "description: use what the documentation is of"),
        ({"description": "x" * 1_000_000}, "cannot read it (too long): use the file of a recipe"),
        ({"description": "Acme\u200b"}, r"description: Acme\u200b: remove the hidden charac"),
        ({"source": "http://docs.acme.example/"}, "source: http://docs.acme.example/: use the"),
        ({"source": "file:///etc/passwd"}, "source: file:///etc/passwd: use the https://"),
        ({"source": "https://me:pw@acme.example/"}, "source: https://me:pw@acme.example/: use"),
        (
            {"source": "https://localhost/", "domains": ["acme.example"]},
            "source: https://localhost/: use a public address",
        ),
        (
            {"source": "https://10.0.0.7/", "domains": ["10.0.0.7"]},
            "source: https://10.0.0.7/: use a public address",
        ),
        (
            {"source": "https://wiki.corp.internal/", "domains": ["corp.internal"]},
            "source: https://wiki.corp.internal/: use a public address",
        ),
        (
            {"source": "https://evil.example/"},
            "source: https://evil.example/: add evil.example to domains, or correct the address",
        ),
        (
            {"source": "https://notacme.example/"},
            "source: https://notacme.example/: add notacme.example to domains",
        ),
        (
            {"source": "https://docs.acme.example/a/../guide/index.html"},
            "source: https://docs.acme.example/a/../guide/index.html: write it as https://",
        ),
        (
            {"prefix": "https://docs.acme.example/api/"},
            "prefix: https://docs.acme.example/api/: use a prefix of the source",
        ),
        ({"versioned": "https://docs.acme.example/{minor}/"}, "versioned: https://docs.acme.exam"),
        (
            {"versioned": "https://docs.acme.example/{major.__class__}/"},
            "versioned: https://docs.acme.example/{major.__class__}/: use the https://",
        ),
        ({"version_from": ["pypi"]}, "version_from: remove it, or set versioned"),
        ({"exclusions": ["/blog/"]}, "exclusions[0]: /blog/: use a path below the prefix"),
        ({"keywords": ["Acme"]}, "keywords[0]: Acme: use a word in lowercase"),
        ({"keywords": ["ac"]}, "keywords: ac: also short for other things"),
        ({"keywords": ["acme", "acme"]}, 'keywords: ["acme", "acme"]: use one to ten words'),
        ({"license": "MIT AND"}, "license: MIT AND: use the SPDX identifier"),
        ({"license": "mit"}, "license: mit: write it as MIT"),
        ({"packages": {"pip": ["x"]}}, "packages.pip: use one of pypi, npm"),
        ({"packages": {"npm": ["a b"]}}, "packages.npm[0]: a b: use a name without blanks"),
        ({"description": {date(2024, 1, 2): 1}}, "description: {}: use what the documentation"),
        ({"verified": "yes"}, "verified: yes: use true if hookwright setup was tried"),
        ({"command": "rm"}, "command: use one of name, description"),
    ]
    for changes, fault in cases:
        path = write(tmp_path, changes)
        completed = hookwright_line.run("share", "check", path)
        assert (completed.code, completed.errors) == (1, "")
        lines = completed.output.splitlines()
        assert lines[0].startswith(f"{path}: {fault}")
        assert all(line.isprintable() for line in lines)


def test_each_fault_has_a_line_number(tmp_path: Path) -> None:
    path = tmp_path / "acme.yml"
    path.write_text("{}")
    fields = [fault.field for fault in list_file_faults(path)]
    assert fields == ["description", "domains", "keywords", "name", "source"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"[1]", "[1]: use a mapping of fields"),
        (b"", "null: use a mapping of fields"),
        (b"name: [", "line 1: this is not YAML"),
        (b"a: 1\na: 2\n", "line 2: duplicate key a: remove one"),
        (b"a: &x [1]\nb: *x\n", "line 1: aliases (*name) are not supported"),
        (b"\xff\xfe\xfd", "cannot read it (not UTF-8)"),
        (b"!!python/object/apply:os.system ['true']", "line 1: this is not YAML"),
    ],
)
def test_unrelated_file_is_reported(tmp_path: Path, text: bytes, told: str) -> None:
    path = tmp_path / "acme.yml"
    path.write_bytes(text)
    (fault,) = list_file_faults(path)
    assert str(fault).startswith(told)


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yml")
    for path, reason in ((tmp_path / "pipe.yml", "not a regular file"), (tmp_path, "not a reg")):
        (fault,) = list_file_faults(path)
        assert str(fault).startswith(f"cannot read it ({reason}")


TEXTS = st.text(max_size=30)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@given(field=st.sampled_from([*RECIPE, "prefix", "versioned", "exclusions"]), value=ANYTHING)
def test_any_value_is_handled(
    tmp_path_factory: pytest.TempPathFactory, field: str, value: object
) -> None:
    path = tmp_path_factory.getbasetemp() / "acme.yml"
    path.write_text(yaml.safe_dump({**RECIPE, field: value}), "utf-8")
    assert all(str(fault).isprintable() for fault in list_file_faults(path))
