"""Find the manifests of a project, and gather what they name."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

from hookwright_documentation.stack.manifest import (
    COMMANDS,
    GO,
    MAVEN,
    PROVIDERS,
    PYPI,
    Dependency,
    Manifest,
    ProjectFolder,
    UnreadableError,
    read_number,
)
from hookwright_documentation.stack.manifests import ManifestKind, find_kind

MAX_MANIFESTS = 400
MAX_DEPENDENCIES = 100_000  # of all manifests, lock files among them

Progress = Callable[[int, int], None]
Key = tuple[str, str]  # an ecosystem, and the name that all spellings of a dependency share


@dataclass(frozen=True)
class Use:
    """A dependency of a project, with all the manifests that name it."""

    ecosystem: str  # A key of `packages` in recipes, such as pypi
    name: str  # its name as the first manifest writes it
    version: str  # the version in use; "" if no manifest tells
    files: tuple[str, ...]  # the manifests that ask for it
    # How the first manifest that does limits an unknown version, such as ^3.4; or "".
    limits: str = ""

    @property
    def key(self) -> Key:
        return build_key(self.ecosystem, self.name)


@dataclass(frozen=True)
class Stack:
    """What a project depends on."""

    folder: Path
    manifests: tuple[str, ...]  # the manifests that were read
    uses: tuple[Use, ...]  # its own dependencies, those in most manifests first
    locked: int  # how many more its lock files list, which the project does not ask for itself
    warnings: tuple[str, ...]  # what was not read, and why, in lines


def read_stack(root: Path, progress: Progress | None = None) -> Stack:
    """Return what a project depends on; nothing is run, and nothing outside of it is read."""
    folder = ProjectFolder(root)
    found: list[tuple[str, ManifestKind]] = []
    for path in folder.list_files():
        kind = find_kind(path)
        if kind and len(found) == MAX_MANIFESTS:
            folder.warnings.append(
                f"stopped after {MAX_MANIFESTS} manifests, before {path}: name a part of the "
                "project"
            )
            break
        if kind:
            found.append((path, kind))
    dependencies: list[Dependency] = []
    for number, (path, kind) in enumerate(found):
        if progress:
            progress(number, len(found))
        dependencies += [Dependency(COMMANDS, name, file=path) for name in kind.commands]
        most = max(MAX_DEPENDENCIES - len(dependencies), 0)
        dependencies += read_manifest(folder, path, kind, most)
    if progress:
        progress(len(found), len(found))
    uses, locked = settle(dependencies)
    manifests = tuple(path for path, _ in found)
    return Stack(folder.root, manifests, uses, locked, tuple(dict.fromkeys(folder.warnings)))


def read_manifest(
    folder: ProjectFolder, path: str, kind: ManifestKind, most: int
) -> Iterator[Dependency]:
    """Yield what a manifest names, at most so many; one that cannot be read gives a warning."""
    read = kind.load()
    if not read:
        return
    try:
        found = (one for one in read(Manifest(path, folder.read(path), folder)) if one.is_plain)
        yield from (replace(one, file=one.file or path) for one in islice(found, most))
        if next(found, None):
            folder.warnings.append(f"{path}: stopped after {MAX_DEPENDENCIES:,} dependencies")
    except UnreadableError as error:
        folder.warnings.append(f"{path}: {error}")


def settle(dependencies: Iterable[Dependency]) -> tuple[tuple[Use, ...], int]:
    direct: dict[Key, list[Dependency]] = {}
    locked: dict[Key, list[Dependency]] = {}
    for one in dependencies:
        group = direct if one.is_direct else locked
        group.setdefault(build_key(one.ecosystem, one.name), []).append(one)
    uses = [build_use(named, locked.get(key, [])) for key, named in direct.items()]
    uses.sort(key=lambda use: (-len(use.files), use.ecosystem, use.name.casefold()))
    return tuple(uses), len(locked.keys() - direct.keys())


def build_use(named: list[Dependency], locked: list[Dependency]) -> Use:
    """Return a dependency from all that manifests and lock files say of it.

    The version is the one that most of them have, the highest of several.
    """
    versions = Counter(one.version for one in locked if one.version)
    versions = versions or Counter(one.version for one in named if one.version)
    version = max(versions, key=lambda one: (versions[one], order(one)), default="")
    name = max((one.name for one in named), key=len)  # hashicorp/aws rather than aws
    limits = "" if version else next((one.limits for one in named if one.limits), "")
    files = tuple(dict.fromkeys(one.file for one in named))
    return Use(named[0].ecosystem, name, version, files, limits)


def order(version: str) -> tuple[int, ...]:
    return tuple(map(int, filter(None, read_number(version).split("."))))


@cache
def build_key(ecosystem: str, name: str) -> Key:
    """Return what all spellings of a dependency have in common, in manifests and recipes."""
    if ecosystem == PYPI:
        from packaging.utils import canonicalize_name

        return PYPI, canonicalize_name(name)
    folded = name.casefold()
    if ecosystem == PROVIDERS:
        return PROVIDERS, folded.rpartition("/")[2]  # aws is hashicorp/aws
    if ecosystem == GO:
        head, _, last = folded.rpartition("/")
        return GO, head if head and last[:1] == "v" and last[1:].isdecimal() else folded
    return ecosystem, folded


def list_keys(use: Use) -> list[Key]:
    """Return what a recipe may name for a dependency, the nearest first.

    A module of Go is also named by those that it is in, and a package of Maven by its group.
    """
    ecosystem, name = use.key
    keys = [use.key]
    if ecosystem == GO:
        parts = name.split("/")
        keys += [(GO, "/".join(parts[:end])) for end in range(len(parts) - 1, 1, -1)]
    if ecosystem == MAVEN:
        parts = name.partition(":")[0].split(".")
        keys += [(MAVEN, ".".join(parts[:end])) for end in range(len(parts), 1, -1)]
    return keys
