"""Read pyproject.toml (PEP 621, PEP 735, Poetry), Pipfile and its lock, and requirements."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from hookwright_console.objects import pick, pick_texts
from hookwright_console.text import shorten
from hookwright_documentation.stack.manifest import (
    PYPI,
    Dependency,
    Manifest,
    UnreadableError,
    read_exact,
    read_json,
    read_limits,
    read_toml,
)

LOCAL = ("path", "file", "editable")  # keys of a dependency that is in a local folder
MAX_INCLUDES = 50
MAX_REQUIREMENT = 2_000  # maximum characters of a requirement
INCLUDE = re.compile(r"(?:-r|-c|--requirement|--constraint)(?:\s*=\s*|\s+|(?<=-[rc]))(\S+)")
OPTION = re.compile(r"\s--?[a-z]")  # an option after a requirement, such as --hash
COMMENT = re.compile(r"(?:^|\s)#")
WHEEL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[./\\]")  # a URL or a path, not a requirement


def read_requirement(text: str) -> Dependency | None:
    """Return the dependency named by a requirement (PEP 508), or None."""
    try:
        requirement = Requirement(text)
    except (InvalidRequirement, RecursionError):
        return None
    pins = [clause.version for clause in requirement.specifier if clause.operator in ("==", "===")]
    version = read_exact(pins[0]) if pins else ""
    limits = "" if version else read_limits(",".join(sorted(map(str, requirement.specifier))))
    return Dependency(PYPI, requirement.name, version, limits=limits)


def read_pyproject(manifest: Manifest) -> Iterator[Dependency]:
    tables = read_toml(manifest.text)
    project = pick(tables, "project")
    own = canonicalize_name(str(project.get("name", "")))
    texts = pick_texts(project, "dependencies")
    for holder in (pick(project, "optional-dependencies"), pick(tables, "dependency-groups")):
        texts += [text for name in holder for text in pick_texts(holder, name)]
    texts += pick_texts(pick(tables, "build-system"), "requires")
    tools = pick(tables, "tool")
    texts += pick_texts(pick(tools, "uv"), "dev-dependencies")
    for text in texts:
        found = read_requirement(text)
        if found and canonicalize_name(found.name) != own:  # otherwise the project's own extra
            yield found
    poetry = pick(tools, "poetry")
    groups = pick(poetry, "group")
    for holder in (poetry, *(pick(groups, name) for name in groups)):
        for key in ("dependencies", "dev-dependencies"):
            yield from read_table(pick(holder, key))


def read_pipfile(manifest: Manifest) -> Iterator[Dependency]:
    tables = read_toml(manifest.text)
    for key, table in tables.items():
        if key not in ("source", "requires", "scripts", "pipenv") and isinstance(table, dict):
            yield from read_table(table)


def read_table(table: Mapping[str, Any]) -> Iterator[Dependency]:
    for name, value in table.items():
        if isinstance(value, dict) and any(key in value for key in LOCAL):
            continue
        version = value.get("version") if isinstance(value, dict) else value
        if name != "python":  # "python" is the interpreter
            yield Dependency(PYPI, name, read_exact(version), limits=read_limits(version))


def read_pipfile_lock(manifest: Manifest) -> Iterator[Dependency]:
    tables = read_json(manifest.text)
    for key in ("default", "develop"):
        packages = pick(tables, key)
        for name in packages:
            version = read_exact(pick(packages, name).get("version"))
            yield Dependency(PYPI, name, version, is_direct=False)


def read_requirements(manifest: Manifest) -> Iterator[Dependency]:
    """Yield the dependencies in a requirements file and the files it includes.

    Constraints files count as lock files, and so do files that pip-compile wrote from a .in file.
    """
    seen = {manifest.path}
    stem, end = manifest.name.rpartition(".")[::2]
    waiting = [(manifest, end != "txt" or not manifest.has_beside(f"{stem}.in"))]
    while waiting:
        current, is_direct = waiting.pop()
        for line in join_lines(current.text):
            if found := INCLUDE.match(line):
                path = current.locate(found[1].strip("\"'"))
                if path in seen or "://" in found[1]:
                    continue
                seen.add(path)
                if len(seen) > MAX_INCLUDES:
                    current.folder.warnings.append(
                        f"{manifest.path}: stopped after {MAX_INCLUDES} included files"
                    )
                    return
                is_constraint = line.startswith(("-c", "--c"))
                try:
                    included = Manifest(path, manifest.folder.read(path), manifest.folder)
                    waiting.append((included, is_direct and not is_constraint))
                except UnreadableError as error:
                    reason = f"includes {shorten(path)}: {shorten(str(error))}"
                    manifest.folder.warnings.append(f"{current.path} {reason}")
            elif not line.startswith("-") and not WHEEL.match(line):
                text = OPTION.split(line, maxsplit=1)[0]
                dependency = read_requirement(text) if len(text) <= MAX_REQUIREMENT else None
                if dependency:
                    yield replace(dependency, is_direct=is_direct, file=current.path)


def join_lines(text: str) -> Iterator[str]:
    """Yield lines joined after trailing backslashes, without comments and blank lines."""
    joined = ""
    for line in [*text.splitlines(), ""]:
        joined += line.removesuffix("\\")
        if not line.endswith("\\"):
            if shown := COMMENT.split(joined, maxsplit=1)[0].strip():
                yield shown
            joined = ""
