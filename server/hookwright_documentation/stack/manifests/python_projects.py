"""Read pyproject.toml (PEP 621 and 735, and Poetry's tables), Pipfile and Pipfile.lock."""

from collections.abc import Iterator, Mapping
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from hookwright_documentation.stack.dependency import PYPI, Dependency, read_exact, read_limits
from hookwright_documentation.stack.folder import Manifest
from hookwright_documentation.stack.manifests.tables import pick, pick_texts, read_json, read_toml

LOCAL = ("path", "file", "editable")  # keys of a dependency that is a folder beside the project


def read_requirement(text: str) -> Dependency | None:
    """Return the dependency that a requirement (PEP 508) names, or None where it is none."""
    try:
        requirement = Requirement(text)
    except (InvalidRequirement, RecursionError):
        return None
    pins = [one.version for one in requirement.specifier if one.operator in ("==", "===")]
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
        if found and canonicalize_name(found.name) != own:  # an extra of its own
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
        if name != "python":  # the interpreter
            yield Dependency(PYPI, name, read_exact(version), limits=read_limits(version))


def read_pipfile_lock(manifest: Manifest) -> Iterator[Dependency]:
    tables = read_json(manifest.text)
    for key in ("default", "develop"):
        packages = pick(tables, key)
        for name in packages:
            version = read_exact(pick(packages, name).get("version"))
            yield Dependency(PYPI, name, version, is_direct=False)
