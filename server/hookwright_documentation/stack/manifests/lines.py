"""Read line-based manifests: Go, Ruby, Cargo, lock files of uv and Poetry, version files.

Nothing is executed. A TOML parser would take a hundred times as long for a large lock file.
"""

import re
from collections.abc import Iterator, Mapping

from hookwright_console.objects import pick
from hookwright_documentation.stack.manifest import (
    COMMANDS,
    CRATES,
    GEMS,
    GO,
    PYPI,
    Dependency,
    Manifest,
    read_exact,
    read_limits,
    read_number,
)
from hookwright_documentation.stack.manifests.tables import read_toml

REQUIRED = re.compile(r"(?:require\s+)?(\S+)\s+(v\S+)\s*(//\s*indirect)?")
GEM = re.compile(r"""\s*gem[\s(]+["']([^"']+)["'](?:\s*,\s*["']([^"']*)["'])?([^#\n]*)""")
LOCAL = re.compile(r"\bpath(?::|\s*=>)")
RUBY = re.compile(r"""\s*ruby[\s(]+["']([^"']+)["']""")
SPEC = re.compile(r" {4}(\S+) \(([^)\s]+)\)")
PACKAGE = "[[package]]"
FIELD = re.compile(r'(name|version|source|type) = (?:"([^"]*)"|\{ (editable|virtual|directory)\b)?')
OWN = {"editable", "virtual", "directory", "file"}  # source types of the project's own packages
CARGO_TABLES = ("dependencies", "dev-dependencies", "build-dependencies")
NODE = (".nvmrc", ".node-version")
OTHER_NAMES = {"nodejs": "node", "golang": "go"}  # names in .tool-versions


def read_modules(manifest: Manifest) -> Iterator[Dependency]:
    block = ""
    for line in map(str.strip, manifest.text.splitlines()):
        word, *rest = line.split(maxsplit=1) or [""]
        if block:
            block = "" if line.startswith(")") else block
        elif rest and rest[0].startswith("("):
            block = word
            continue
        if "require" in (block, word) and (found := REQUIRED.match(line)):
            yield Dependency(GO, found[1], read_exact(found[2]), is_direct=not found[3])
        elif word == "go" and rest and not block:
            yield Dependency(COMMANDS, "go", read_number(rest[0]))


def read_gemfile(manifest: Manifest) -> Iterator[Dependency]:
    for line in manifest.text.splitlines():
        if found := GEM.match(line):
            if not LOCAL.search(found[3]):
                yield Dependency(GEMS, found[1], read_exact(found[2]))
        elif found := RUBY.match(line):
            yield Dependency(COMMANDS, "ruby", read_number(found[1]))


def read_gemfile_lock(manifest: Manifest) -> Iterator[Dependency]:
    section = ""
    for line in manifest.text.splitlines():
        if line and not line.startswith(" "):
            section = line
        elif section in ("GEM", "GIT") and (found := SPEC.fullmatch(line)):
            version = read_exact(found[2].partition("-")[0])  # a platform may follow
            yield Dependency(GEMS, found[1], version, is_direct=False)


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


def read_cargo(manifest: Manifest) -> Iterator[Dependency]:
    tables = read_toml(manifest.text)
    targets = pick(tables, "target")
    holders = [tables, pick(tables, "workspace"), *(pick(targets, name) for name in targets)]
    for holder in holders:
        for key in CARGO_TABLES:
            for name, value in pick(holder, key).items():
                table = value if isinstance(value, dict) else {"version": value}
                if "path" not in table:
                    wanted = table.get("version")
                    if isinstance(wanted, str) and read_exact(wanted) == wanted.strip():
                        wanted = f"^{wanted.strip()}"  # a bare 1.2 also allows 1.9
                    named, limits = str(table.get("package", name)), read_limits(wanted)
                    yield Dependency(CRATES, named, read_exact(wanted), limits=limits)


def read_cargo_lock(manifest: Manifest) -> Iterator[Dependency]:
    for fields in read_packages(manifest.text):
        if "source" in fields:  # the project's own packages have no source
            version = read_exact(fields.get("version"))
            yield Dependency(CRATES, fields.get("name", ""), version, is_direct=False)


def read_version(manifest: Manifest) -> Iterator[Dependency]:
    program = "node" if manifest.name in NODE else manifest.name[1:].removesuffix("-version")
    yield Dependency(COMMANDS, program, read_number(manifest.text[:100].strip()))


def read_tool_versions(manifest: Manifest) -> Iterator[Dependency]:
    for line in manifest.text.splitlines():
        name, _, version = line.partition("#")[0].strip().partition(" ")
        if name:
            yield Dependency(COMMANDS, OTHER_NAMES.get(name, name), read_number(version.strip()))
