"""Propose documentation for what a project depends on, by recipes or as it is installed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from hookwright_documentation.recipes.ready import ReadyRecipe
from hookwright_documentation.stack.manifest import COMMANDS, IMAGES, PYPI, read_lowest
from hookwright_documentation.stack.survey import Key, Use, build_key, list_keys

ENVIRONMENTS = (".venv", "venv")
MAX_OFFERED = 15  # that are offered


class State(str, Enum):
    """Whether a documentation is there already."""

    NEW = "new"
    UNFINISHED = "unfinished"  # its set-up was interrupted
    BUILT = "built"  # but the project does not have it
    SET_UP = "set up"
    OTHER = "in a record"  # of the user's own, which has its name or keywords


@dataclass(frozen=True)
class Proposal:
    """A recipe for what a project depends on."""

    recipe: ReadyRecipe
    uses: tuple[Use, ...]  # the dependencies that it is for
    version: str  # the version in use; "" if not known
    state: State  # whether it is there already
    # Where its package is installed, for one whose sources are documented.
    environment: Path | None = None
    limits: str = ""  # how the project limits a version that is not known, such as ^3.4; or ""

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
        """The version whose documentation is taken; "" for the newest."""
        version = self.version or read_lowest(self.limits)
        is_there = self.environment or self.recipe.has_address_for(version)
        return version if is_there else ""


def propose(
    uses: Sequence[Use], recipes: Sequence[ReadyRecipe], states: Mapping[str, State]
) -> tuple[list[Proposal], list[Use]]:
    """Return the recipes for what a project depends on, and the dependencies that have none.

    The recipe for most manifests comes first. Programs that only go with a manifest are left out.
    `states` says which recipes are there already, by name.
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
    proposals = [
        Proposal(
            recipe,
            tuple(matched[recipe.name]),
            find_version(recipe, matched[recipe.name]),
            states.get(recipe.name, State.NEW),
            limits=find_limits(recipe, matched[recipe.name]),
        )
        for recipe in recipes
        if recipe.name in matched
    ]
    proposals.sort(key=lambda one: (-len(one.files), -len(one.uses), one.name))
    return proposals, rest


def find_version(recipe: ReadyRecipe, uses: Sequence[Use]) -> str:
    """Return the version of a technology that a project uses, or "" if not known.

    The version of a client library is not that of the server that it talks to: where a recipe has
    images and does not say which packages tell the version, only theirs count. That of a program
    always does. Of several packages the first counts.
    """
    versions = {use.key: use.version for use in uses if use.version}
    return next((versions[key] for key in list_telling(recipe) if key in versions), "")


def find_limits(recipe: ReadyRecipe, uses: Sequence[Use]) -> str:
    limits = {use.key: use.limits for use in uses if use.limits}
    found = next((limits[key] for key in list_telling(recipe) if key in limits), "")
    return "" if find_version(recipe, uses) else found


def list_telling(recipe: ReadyRecipe) -> list[Key]:
    def tells_version(origin: str) -> bool:
        if IMAGES in recipe.packages and not recipe.version_from:
            return origin == IMAGES
        return recipe.tells_version(origin)

    return [
        build_key(one, names[0])
        for one, names in recipe.packages.items()
        if one == COMMANDS or tells_version(one)
    ]


def find_states(
    recipes: Sequence[ReadyRecipe],
    records: Mapping[str, bool],  # whether each is for the database of its name
    keywords: Collection[str],
    built: Collection[str],
    unfinished: Collection[str],
) -> dict[str, State]:
    states = {}
    for one in recipes:
        if records.get(one.name) and one.name in built:
            states[one.name] = State.SET_UP
        elif records.get(one.name) is False or (
            one.name not in records and not {*one.keywords}.isdisjoint(keywords)
        ):
            states[one.name] = State.OTHER
        elif one.name in built:
            states[one.name] = State.BUILT
        elif one.name in unfinished:
            states[one.name] = State.UNFINISHED
    return states


def find_environment(root: Path) -> Path | None:
    """Return the environment in a project's folder, itself without links, or None.

    Links out of it do not count.
    """
    for name in ENVIRONMENTS:
        folder = root / name
        if (folder / "pyvenv.cfg").is_file() and folder.resolve().is_relative_to(root):
            return folder
    return None


def list_installed(environment: Path) -> dict[str, str]:
    """Return the versions of what is installed in an environment, by normalized names.

    Only the names of folders are read (PyPA, "Recording installed projects").
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


def offer_installed(rest: Sequence[Use], root: Path, taken: Collection[str]) -> list[Proposal]:
    """Return proposals for the dependencies without a recipe that are installed.

    `rest` has the most used first; no database may have a name that is `taken` by a recipe.
    """
    environment = find_environment(root)
    if not environment:
        return []
    installed = list_installed(environment)
    offers = []
    for use in rest:
        name = use.key[1]
        if use.ecosystem == PYPI and name in installed and name not in taken:
            recipe = ReadyRecipe(
                name, (name,), f"python:{name}", description=f"{name}, as installed", verified=True
            )
            offers.append(
                Proposal(recipe, (use,), installed[name], State.NEW, environment=environment)
            )
    return offers[:MAX_OFFERED]
