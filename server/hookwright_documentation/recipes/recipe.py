"""Describe how to build a database, as requested by the user or as in a bundled recipe.

A refresh builds the same database from the same recipe.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright_console.text import suggest
from hookwright_documentation.databases import check_kinds, is_of_kind
from hookwright_documentation.sources.registry import CrawlOptions, find_source

if TYPE_CHECKING:
    from hookwright_documentation.databases import Manifest

MAX_PAGES = 2_000
OWN = ("name", "source", "engine")  # fields that a manifest also contains
NUMBERS = re.compile(r"v?(\d+)(?:[.](\d+))?(?:[.](\d+))?", re.IGNORECASE)
PARTS = ("major", "minor", "patch")
PACKAGED = Path(__file__).with_name("bundled")  # location in a wheel
FOLDER = PACKAGED if PACKAGED.exists() else Path(__file__).parents[3] / "recipes"
UNVERSIONED = {"actions", "providers", "commands"}  # ecosystems with other or no versions


class Engine(str, Enum):
    """The program that indexes and searches a database."""

    BUILTIN = "builtin"
    LEANN = "leann"


@dataclass(frozen=True)
class Recipe:
    """How to build a database."""

    name: str
    keywords: tuple[str, ...]  # words that route a search to this database
    source: str  # the URL or folder to crawl, or another source that `crawl` accepts
    prefix: str = ""  # prefix of the page addresses; "" to derive it from the source
    max_pages: int = MAX_PAGES  # maximum number of pages to fetch
    license: str = ""  # the licence's SPDX identifier, or "" if unknown
    engine: str = "builtin"  # builtin or leann
    language: str = ""  # language to select, such as fr; "" for the source's default
    version: str = ""  # version to select, such as 3.12; "" for the stable or newest version
    leann: tuple[str, ...] = ()  # options of `leann build`
    description: str = ""  # documented subject, for agents; "" to derive it from the keyword
    domains: tuple[str, ...] = ()  # domains that it covers, in addition to its pages' domain
    # Address prefixes of pages to exclude.
    exclusions: tuple[str, ...] = ()
    # Whether its keywords are also ordinary words missing from the hook's own list.
    ambiguous: bool = False
    python: str = ""  # environment that contains the installed packages; "" for other sources
    is_strangers: bool = False  # whether its addresses come from an archive rather than the user

    @property
    def title(self) -> str:
        """The documented subject, never in a page's own words, because agents read it."""
        return self.description or f"{self.keywords[0]} documentation"

    @property
    def place(self) -> str:
        """The local file or folder of the source; "" for any other source."""
        return find_source(self.source).place or self.python

    @property
    def is_local(self) -> bool:
        """Whether the source is on this computer, which makes rereading cheap."""
        return bool(self.place) or find_source(self.source).is_local

    @property
    def crawl_options(self) -> CrawlOptions:
        names = (field.name for field in fields(CrawlOptions) if hasattr(self, field.name))
        return CrawlOptions(**{name: getattr(self, name) for name in names})

    @property
    def options(self) -> dict[str, Any]:
        """The options that have no corresponding manifest field."""
        return {"max_pages": self.max_pages, **self.list_chosen(*OWN, "license")}

    def list_chosen(self, *without: str) -> dict[str, Any]:
        """Return the fields that differ from their defaults as JSON, except the excluded ones."""
        defaults = {
            field.name: field.default for field in fields(Recipe) if field.name not in without
        }
        exported = self.export()
        return {
            name: exported[name]
            for name, default in defaults.items()
            if getattr(self, name) != default
        }

    def export(self) -> dict[str, Any]:
        values = asdict(self).items()
        return {name: [*value] if isinstance(value, tuple) else value for name, value in values}


def take_lists(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in values.items()
    }


def import_recipe(saved: dict[str, Any]) -> Recipe | None:
    """Return an exported recipe, or None if it is invalid."""
    values = {field.name: saved[field.name] for field in fields(Recipe) if field.name in saved}
    try:
        recipe = Recipe(**take_lists(values))
        check_kinds(recipe)
    except TypeError:
        return None
    return replace(recipe, keywords=recipe.keywords or (recipe.name,))


def recall_recipe(manifest: "Manifest") -> Recipe:
    """Return an existing database's recipe, which may be incomplete if it was imported."""
    values = {"license": manifest.license, **take_lists(manifest.options)}
    values |= {name: getattr(manifest, name) for name in OWN}
    known = {
        field.name: values[field.name]
        for field in fields(Recipe)
        if field.name in values and is_of_kind(values[field.name], field)
    }
    return Recipe(**{**known, "keywords": known.get("keywords") or (manifest.name,)})


@dataclass(frozen=True)
class CopyFigures:
    """The documentation copy on which a recipe was tested, and the measured cost."""

    version: str
    pages: int
    seconds: int  # CPU seconds
    megabytes: int


@dataclass(frozen=True)
class ReadyRecipe(Recipe):
    """A bundled recipe for a technology's documentation, in any version.

    The fields of a recipe file are described in `schema.json`.
    """

    # Address of a version, with {major}, {minor} or {patch}; "" if the site has no such addresses.
    versioned: str = ""
    # Ecosystems in which the package's version equals the documentation's; () for all.
    version_from: tuple[str, ...] = ()
    # The technology's names in manifests, by ecosystem, such as pypi.
    packages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    verified: bool = False  # whether `hookwright setup` was tested with it
    tested_copy: CopyFigures | None = None  # the tested copy, unless the site itself was tested

    @property
    def tested_on(self) -> str:
        """A description of what the recipe was tested on; "" if untested."""
        if self.verified:
            return "its address"
        return f"a copy of {self.tested_copy.version}" if self.tested_copy else ""

    def tells_version(self, origin: str) -> bool:
        """Return whether an ecosystem's package version equals the documentation's version."""
        return origin in (self.version_from or set(self.packages) - UNVERSIONED)

    def documents(self, address: str) -> bool:
        """Return whether an address belongs to any version of this documentation."""
        head, _, rest = self.versioned.partition("{")
        is_host = head.count("/") < 3  # noqa: PLR2004 - it has the version in its name
        named = bool(head) and address.startswith(head)
        return address == self.source or (
            named and (not is_host or rest.rpartition("}")[2] in address)
        )

    def build_recipe(self, version: str = "") -> Recipe:
        """Return the recipe for a version such as 4.2, or "" for the newest.

        The crawl selects the version if the site has no address for it.
        """
        recipe = Recipe(**{field.name: getattr(self, field.name) for field in fields(Recipe)})
        if address := self.find_address(version):
            return replace(recipe, source=address, prefix=self._find_prefix(address))
        return replace(recipe, version=version)

    def _find_prefix(self, address: str) -> str:
        depth = self.versioned.rpartition("}")[0].count("/") + 1
        return address if address.endswith("/") else "/".join(address.split("/")[:depth]) + "/"

    def find_address(self, version: str) -> str:
        """Return the site's address for a version such as 4.2.1 or v4, or ""."""
        match = NUMBERS.match(version)
        if not match or not self.versioned:
            return ""
        parts = {name: number for name, number in zip(PARTS, match.groups(), strict=True) if number}
        if "minor" in parts:
            parts.setdefault("patch", "0")  # 4.2 uses the address of its first patch, 4.2.0
        try:
            return self.versioned.format(**parts)
        except KeyError:  # the address needs more parts than the version has
            return ""


def find_ready_recipe(word: str) -> ReadyRecipe | None:
    """Return the recipe with this name, otherwise the one with this keyword, or None."""
    folded, recipes = word.casefold(), load_ready_recipes()
    by_keyword = {keyword: recipe for recipe in recipes for keyword in recipe.keywords}
    return {recipe.name: recipe for recipe in recipes}.get(folded) or by_keyword.get(folded)


def suggest_ready_recipe(word: str) -> str:
    """Return "did you mean ...?" with the most similar recipes or keywords, or ""."""
    recipes = load_ready_recipes()
    keywords = (keyword for recipe in recipes for keyword in recipe.keywords if " " not in keyword)
    return suggest(word, (recipe.name for recipe in recipes)) or suggest(word, keywords)


def match_ready_recipes(word: str) -> list[ReadyRecipe]:
    """Return the recipes whose name, keywords, description or domains contain a word."""
    return [
        recipe
        for recipe in load_ready_recipes()
        for texts in [(recipe.name, *recipe.keywords, recipe.description, *recipe.domains)]
        if any(word.casefold() in text.casefold() for text in texts)
    ]


@cache
def load_ready_recipes() -> tuple[ReadyRecipe, ...]:
    import yaml  # not needed by servers, which use no recipes

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast
    paths = sorted(FOLDER.glob("*.yml"))
    texts = (path.read_text("utf-8") for path in paths)
    return tuple(build_ready_recipe(yaml.load(text, Loader=loader)) for text in texts)  # noqa: S506 - a safe one


def build_ready_recipe(values: Mapping[str, Any]) -> ReadyRecipe:
    fields = take_lists(values)
    fields["packages"] = take_lists(values.get("packages", {}))
    if copy := values.get("tested_copy"):
        fields["tested_copy"] = CopyFigures(**copy)
    return ReadyRecipe(**fields)
