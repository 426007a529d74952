"""Read the lock files of uv, Poetry and Cargo, in which each package is a table of its own.

They are read line by line, as these programs write them: a parser of TOML takes a hundred times as
long for a large one.
"""

import re
from collections.abc import Iterator, Mapping

from hookwright_documentation.stack.manifest import CRATES, PYPI, Dependency, Manifest, read_exact

PACKAGE = "[[package]]"
FIELD = re.compile(r'(name|version|source|type) = (?:"([^"]*)"|\{ (editable|virtual|directory)\b)?')
OWN = {"editable", "virtual", "directory", "file"}  # sources of the project's own packages


def read_packages(text: str) -> Iterator[Mapping[str, str]]:
    fields: dict[str, str] | None = None
    for line in text.splitlines():
        if line == PACKAGE:
            if fields:
                yield fields
            fields = {}
        elif fields is not None and (found := FIELD.match(line)):
            fields.setdefault(found[1], found[2] or found[3] or "")
    if fields:
        yield fields


def read_python_lock(manifest: Manifest) -> Iterator[Dependency]:
    for fields in read_packages(manifest.text):
        if not OWN.intersection((fields.get("source"), fields.get("type"))):
            version = read_exact(fields.get("version"))
            yield Dependency(PYPI, fields.get("name", ""), version, is_direct=False)


def read_cargo_lock(manifest: Manifest) -> Iterator[Dependency]:
    for fields in read_packages(manifest.text):
        if "source" in fields:  # the project's own have none
            version = read_exact(fields.get("version"))
            yield Dependency(CRATES, fields.get("name", ""), version, is_direct=False)
