"""Find the ready recipes that come with Hookwright."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hookwright_console.text import suggest
from hookwright_documentation.recipes.recipe import Recipe, take_lists

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # which reads ten times as fast
NUMBERS = re.compile(r"v?(\d+)(?:[.](\d+))?(?:[.](\d+))?", re.IGNORECASE)
PARTS = ("major", "minor", "patch")
PACKAGED = Path(__file__).with_name("bundled")  # in a wheel
FOLDER = PACKAGED if PACKAGED.exists() else Path(__file__).parents[3] / "recipes"
UNVERSIONED = {"actions", "providers", "commands"}  # which have versions of their own, or none


@dataclass(frozen=True)
class CopyFigures:
    """A copy of a documentation that a recipe was tried on, and what it took."""

    version: str
    pages: int
    seconds: int  # of CPU
    megabytes: int


@dataclass(frozen=True)
class ReadyRecipe(Recipe):
    """How to set up the documentation of a technology, in any of its versions.

    `schema.json` says what the fields of a file hold.
    """

    # The address of one version, with {major}, {minor} or {patch} in it; "" if the site has no such
    # address.
    versioned: str = ""
    # The origins of packages whose version is that of the documentation; () for all that have one.
    version_from: tuple[str, ...] = ()
    # The names of the technology in manifests, by where they come from, such as pypi.
    packages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    verified: bool = False  # whether `hookwright setup` was tried with it
    tested_copy: CopyFigures | None = None  # what it was tried on in the place of the site

    @property
    def tested_on(self) -> str:
        """What it was tried on, in words; "" if it was not tried."""
        if self.verified:
            return "its address"
        return f"a copy of {self.tested_copy.version}" if self.tested_copy else ""

    def source_for(self, version: str | None = None) -> str:
        """Return the address of the documentation of a version such as 4.2.1 or v4.

        That of the stable or newest version where there is none for it; None asks for that.
        """
        return self._find_versioned(version or "") or self.source

    def has_address_for(self, version: str) -> bool:
        """Return whether the site has an address of its own for a version such as 4.2.1."""
        return bool(self._find_versioned(version))

    def tells_version(self, origin: str) -> bool:
        """Return whether the version of a package from an origin such as pypi is documented."""
        return origin in (self.version_from or set(self.packages) - UNVERSIONED)

    def documents(self, address: str) -> bool:
        """Return whether an address is that of this documentation, in any version."""
        head, _, rest = self.versioned.partition("{")
        is_host = head.count("/") < 3  # noqa: PLR2004 - it has the version in its name
        named = bool(head) and address.startswith(head)
        return address == self.source or (
            named and (not is_host or rest.rpartition("}")[2] in address)
        )

    def build_recipe(self, version: str = "") -> Recipe:
        """Return what to make a database of, for a version such as 4.2 or "" for the newest.

        The crawl looks for the version where the site has no address for it.
        """
        recipe = Recipe(**{one.name: getattr(self, one.name) for one in fields(Recipe)})
        if address := self._find_versioned(version):
            return replace(recipe, source=address, prefix=self._find_prefix(address))
        return replace(recipe, version=version)

    def _find_prefix(self, address: str) -> str:
        depth = self.versioned.rpartition("}")[0].count("/") + 1
        return address if address.endswith("/") else "/".join(address.split("/")[:depth]) + "/"

    def _find_versioned(self, version: str) -> str:
        match = NUMBERS.match(version)
        if not match or not self.versioned:
            return ""
        given = {name: number for name, number in zip(PARTS, match.groups(), strict=True) if number}
        if "minor" in given:
            given.setdefault("patch", "0")  # the first of a version, which has an address, too
        try:
            return self.versioned.format(**given)
        except KeyError:  # it needs more than the version says
            return ""


def load_ready_recipes() -> list[ReadyRecipe]:
    return list(_load())


def find_ready_recipe(word: str) -> ReadyRecipe | None:
    """Return the recipe of a name, else that which has a keyword, or None."""
    folded = word.casefold()
    by_keyword = {keyword: one for one in _load() for keyword in one.keywords}
    return {one.name: one for one in _load()}.get(folded) or by_keyword.get(folded)


def suggest_ready_recipe(word: str) -> str:
    """Return "did you mean ...?" with the recipes, or else keywords, nearest to a word, or ""."""
    keywords = (keyword for one in _load() for keyword in one.keywords if " " not in keyword)
    return suggest(word, (one.name for one in _load())) or suggest(word, keywords)


def match_ready_recipes(word: str) -> list[ReadyRecipe]:
    """Return the recipes that have a word in their name, keywords, description or domains."""
    folded = word.casefold()

    def holds(texts: Iterable[str]) -> bool:
        return any(folded in text.casefold() for text in texts)

    return [
        one for one in _load() if holds((one.name, *one.keywords, one.description, *one.domains))
    ]


@cache
def _load() -> tuple[ReadyRecipe, ...]:
    paths = sorted(FOLDER.glob("*.yml"))
    texts = (path.read_text("utf-8") for path in paths)
    return tuple(build_ready_recipe(yaml.load(text, Loader=LOADER)) for text in texts)  # noqa: S506 - a safe one


def build_ready_recipe(values: Mapping[str, Any]) -> ReadyRecipe:
    given = take_lists(values)
    given["packages"] = take_lists(values.get("packages", {}))
    if copy := values.get("tested_copy"):
        given["tested_copy"] = CopyFigures(**copy)
    return ReadyRecipe(**given)
