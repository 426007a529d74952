"""Collect a project's dependencies from its manifests, and propose documentation for them."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from itertools import islice
from pathlib import Path

from hookwright_console.terminal import track
from hookwright_documentation.recipes.recipe import ReadyRecipe
from hookwright_documentation.stack.manifest import (
    COMMANDS,
    GO,
    IMAGES,
    MAVEN,
    PROVIDERS,
    PYPI,
    Dependency,
    Manifest,
    ProjectFolder,
    UnreadableError,
    read_lowest,
    read_number,
)
from hookwright_documentation.stack.manifests import ManifestKind, find_kind

MAX_MANIFESTS = 400
MAX_DEPENDENCIES = 100_000  # dependencies in all manifests together, including lock files

Key = tuple[str, str]  # ecosystem and normalised name
ENVIRONMENTS = (".venv", "venv")
MAX_OFFERED = 15  # maximum number of listed proposals


@dataclass(frozen=True)
class Use:
    """A project's dependency, and all manifests that name it."""

    ecosystem: str  # a key of `packages` in recipes, such as pypi
    name: str  # name as written in the first manifest
    version: str  # used version, or "" if unspecified
    files: tuple[str, ...]  # manifests that require it
    # The first limit found for an unknown version, such as ^3.4, or "".
    limits: str = ""

    @property
    def key(self) -> Key:
        return build_key(self.ecosystem, self.name)


@dataclass(frozen=True)
class Stack:
    """A project's dependencies."""

    folder: Path
    manifests: tuple[str, ...]  # the manifests that were read
    uses: tuple[Use, ...]  # direct dependencies, ordered by number of manifests, highest first
    locked: int  # number of other dependencies, found only in lock files
    warnings: tuple[str, ...]  # messages that name unread files and say why


def read_stack(root: Path) -> Stack:
    """Return a project's dependencies; executes nothing and reads nothing outside the project."""
    folder = ProjectFolder(root)
    found: list[tuple[str, ManifestKind]] = []
    for path in folder.list_files():
        if kind := find_kind(path):
            if len(found) == MAX_MANIFESTS:
                stopped = f"stopped after {MAX_MANIFESTS} manifests, before {path}"
                folder.warnings.append(f"{stopped}: name a part of the project")
                break
            found.append((path, kind))
    dependencies: list[Dependency] = []
    for path, kind in track("Reading manifests", found):
        dependencies += [Dependency(COMMANDS, name, file=path) for name in kind.commands]
        most = max(MAX_DEPENDENCIES - len(dependencies), 0)
        dependencies += read_dependencies(folder, path, kind, most)
    uses, locked = settle(dependencies)
    manifests = tuple(path for path, _ in found)
    return Stack(folder.root, manifests, uses, locked, tuple(dict.fromkeys(folder.warnings)))


def read_dependencies(
    folder: ProjectFolder, path: str, kind: ManifestKind, most: int
) -> Iterator[Dependency]:
    """Yield a manifest's dependencies up to a limit; warn if the manifest is unreadable."""
    try:
        every = kind.load()(Manifest(path, folder.read(path), folder)) if kind.place else iter(())
        found = filter(Dependency.is_plain, every)
        for dependency in islice(found, most):
            yield replace(dependency, file=dependency.file or path)
        if next(found, None):
            folder.warnings.append(f"{path}: stopped after {MAX_DEPENDENCIES:,} dependencies")
    except UnreadableError as error:
        folder.warnings.append(f"{path}: {error}")


def settle(dependencies: Iterable[Dependency]) -> tuple[tuple[Use, ...], int]:
    direct: dict[Key, list[Dependency]] = {}
    locked: dict[Key, list[Dependency]] = {}
    for dependency in dependencies:
        group = direct if dependency.is_direct else locked
        group.setdefault(build_key(dependency.ecosystem, dependency.name), []).append(dependency)
    uses = [build_use(named, locked.get(key, [])) for key, named in direct.items()]
    uses.sort(key=lambda use: (-len(use.files), use.ecosystem, use.name.casefold()))
    return tuple(uses), len(locked.keys() - direct.keys())


def build_use(named: list[Dependency], locked: list[Dependency]) -> Use:
    """Combine a dependency's data from manifests and lock files.

    The most frequent version is used; among equally frequent versions, the highest.
    """
    known = Counter(item.version for item in locked if item.version) or Counter(
        item.version for item in named if item.version
    )
    numbers = {item: [*map(int, filter(None, read_number(item).split(".")))] for item in known}
    version = max(known, key=lambda item: (known[item], numbers[item]), default="")
    name = max((dependency.name for dependency in named), key=len)  # prefers hashicorp/aws to aws
    limits = next((item.limits for item in named if item.limits and not version), "")
    files = tuple(dict.fromkeys(dependency.file for dependency in named))
    return Use(named[0].ecosystem, name, version, files, limits)


@cache
def build_key(ecosystem: str, name: str) -> Key:
    """Return a dependency's normalised key, as used for manifests and recipes."""
    if ecosystem == PYPI:
        from packaging.utils import canonicalize_name

        return PYPI, canonicalize_name(name)
    folded = name.casefold()
    if ecosystem == PROVIDERS:
        return PROVIDERS, folded.rpartition("/")[2]  # aws stands for hashicorp/aws
    if ecosystem == GO:
        head, _, last = folded.rpartition("/")
        return GO, head if head and last[:1] == "v" and last[1:].isdecimal() else folded
    return ecosystem, folded


def list_keys(use: Use) -> list[Key]:
    """Return the keys under which a recipe may list a dependency, most specific first.

    A recipe may also list a Go module by its parents, and a Maven package by its group.
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


class State(str, Enum):
    """Whether the proposed database already exists."""

    NEW = "new"
    UNFINISHED = "unfinished"  # the database's setup was interrupted
    BUILT = "built"  # the database exists, but the project does not use it
    SET_UP = "set up"
    OTHER = "in a record"  # one of the user's own records has the same name or keywords


@dataclass(frozen=True)
class Proposal:
    """A recipe proposed to document a project's dependencies."""

    recipe: ReadyRecipe
    uses: tuple[Use, ...]  # dependencies that the recipe covers
    version: str  # used version, or "" if unknown
    state: State  # whether the database already exists
    # The installed package's location, if its sources are to be documented.
    environment: Path | None = None
    limits: str = ""  # the project's limit for an unknown version, such as ^3.4, or ""

    @property
    def name(self) -> str:
        return self.recipe.name

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(file for use in self.uses for file in use.files))

    @property
    def is_open(self) -> bool:
        return self.state in (State.NEW, State.UNFINISHED, State.BUILT)

    @property
    def documented(self) -> str:
        """The version to document, or "" for the newest."""
        version = self.version or read_lowest(self.limits)
        is_there = self.environment or self.recipe.find_address(version)
        return version if is_there else ""


def propose(
    uses: Sequence[Use],
    recipes: Sequence[ReadyRecipe],
    find_state: Callable[[ReadyRecipe], State],
) -> tuple[list[Proposal], list[Use]]:
    """Return recipes for a project's dependencies, and the dependencies that have no recipe.

    Recipes are sorted by the number of manifests that name them, highest first. Programs are left
    out if only the kind of a manifest implies them.
    """
    by_key: dict[Key, list[ReadyRecipe]] = {}
    for recipe in recipes:
        for ecosystem, names in recipe.packages.items():
            for name in names:
                by_key.setdefault(build_key(ecosystem, name), []).append(recipe)
    matched: dict[str, list[Use]] = {}
    rest = []
    for use in uses:
        found = next((by_key[key] for key in list_keys(use) if key in by_key), [])
        for recipe in found:
            matched.setdefault(recipe.name, []).append(use)
        if not found and use.ecosystem != COMMANDS:
            rest.append(use)
    proposals = []
    for recipe in recipes:
        if named := matched.get(recipe.name):
            version, limits = find_used_version(recipe, named)
            state = find_state(recipe)
            proposals.append(Proposal(recipe, tuple(named), version, state, limits=limits))
    proposals.sort(key=lambda item: (-len(item.files), -len(item.uses), item.name))
    return proposals, rest


def find_used_version(recipe: ReadyRecipe, uses: Sequence[Use]) -> tuple[str, str]:
    """Return the version of a technology that a project uses; if unknown, return "" and its limit.

    A client library's version differs from its server's: if a recipe lists images but not the
    packages that share its version, only the images are considered. A program's version is always
    considered. If there are several packages, the first one with a version is used.
    """
    is_server = IMAGES in recipe.packages and not recipe.version_from
    telling = [
        build_key(ecosystem, names[0])
        for ecosystem, names in recipe.packages.items()
        if ecosystem == COMMANDS
        or (ecosystem == IMAGES if is_server else recipe.tells_version(ecosystem))
    ]
    by_key = {use.key: use for use in uses}
    found = [by_key[key] for key in telling if key in by_key]
    version = next((use.version for use in found if use.version), "")
    limits = next((use.limits for use in found if use.limits and not version), "")
    return version, limits


def find_state(
    recipe: ReadyRecipe,
    records: Mapping[str, bool],  # whether each record is for the database of the same name
    keywords: Collection[str],
    built: Collection[str],
    unfinished: Collection[str],
) -> State:
    recorded = records.get(recipe.name)
    if recorded and recipe.name in built:
        return State.SET_UP
    is_routed = recorded is None and not {*recipe.keywords}.isdisjoint(keywords)
    if recorded is False or is_routed:
        return State.OTHER
    if recipe.name in built:
        return State.BUILT
    return State.UNFINISHED if recipe.name in unfinished else State.NEW


def list_installed(environment: Path) -> dict[str, str]:
    """Return the versions of the packages in an environment, by normalised name.

    Reads only the names of folders (PyPA, "Recording installed projects").
    """
    from packaging.utils import canonicalize_name

    from hookwright_documentation.sources.python_packages.environments import (
        find_site_folders,
        list_descriptions,
    )

    found: dict[str, str] = {}
    for folder in find_site_folders(environment):
        for description in list_descriptions(folder):
            name, _, version = description.stem.partition("-")
            found[canonicalize_name(name)] = version.partition("-")[0]
    return found


def offer_installed(
    rest: Sequence[Use],
    root: Path,
    taken: Collection[str],
    find_state: Callable[[ReadyRecipe], State],
) -> list[Proposal]:
    """Return proposals for installed dependencies that have no recipe.

    `rest` must be sorted by use; recipe names in `taken` are unavailable for new databases.
    """
    # Links that lead out of the folder are ignored.
    folders = [root / name for name in ENVIRONMENTS if (root / name / "pyvenv.cfg").is_file()]
    inside = (folder for folder in folders if folder.resolve().is_relative_to(root))
    if not (place := next(inside, None)):
        return []
    installed = list_installed(place)
    offers = []
    for use in rest:
        name = use.key[1]
        if use.ecosystem == PYPI and name in installed and name not in taken:
            about = f"{name}, as installed"
            recipe = ReadyRecipe(name, (name,), f"python:{name}", description=about, verified=True)
            offers.append(Proposal(recipe, (use,), installed[name], find_state(recipe), place))
    return offers[:MAX_OFFERED]
