"""What a user asks for when a documentation database is set up; a refresh asks for it again."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from hookwright_documentation.databases import check_kinds, is_of_kind
from hookwright_documentation.sources.registry import find_source

if TYPE_CHECKING:
    from hookwright_documentation.databases import Manifest
    from hookwright_documentation.sources.options import CrawlOptions

MAX_PAGES = 2_000
OWN = ("name", "source", "engine")  # what a manifest has fields of its own for


class Engine(str, Enum):
    """What indexes and searches a database."""

    BUILTIN = "builtin"
    LEANN = "leann"


@dataclass(frozen=True)
class Recipe:
    """What a database is made of."""

    name: str
    keywords: tuple[str, ...]  # the words that send a search to it
    source: str  # the URL or folder to crawl, or another source that `crawl` takes
    prefix: str = ""  # what the addresses of its pages begin with; "" to derive it from the source
    max_pages: int = MAX_PAGES  # the most pages to fetch
    license: str = ""  # the SPDX identifier of the licence, or "" if not known
    engine: str = "builtin"  # builtin or leann
    language: str = ""  # the language to take, such as fr; "" for that of the source
    version: str = ""  # the version to take, such as 3.12; "" for the stable or newest one
    leann: tuple[str, ...] = ()  # options of `leann build`
    description: str = ""  # what the database documents, for an agent; "" to say it by the keyword
    domains: tuple[str, ...] = ()  # those that it stands for besides that of its pages
    # What the addresses of pages to leave out begin with, below the prefix.
    exclusions: tuple[str, ...] = ()
    # Whether its keywords are ordinary words, too, which the hook does not know.
    ambiguous: bool = False
    python: str = ""  # the environment of installed packages; "" where the source is none
    is_strangers: bool = False  # whether its addresses are of an archive, and not of the user

    @property
    def title(self) -> str:
        """What the database documents; never in the words of a page, for an agent reads it."""
        return self.description or f"{self.keywords[0]} documentation"

    @property
    def place(self) -> str:
        """The file or folder of this computer that it is read from, "" for any other source."""
        return find_source(self.source).place or self.python

    @property
    def is_local(self) -> bool:
        """Whether it is read from this computer, so that to read it again costs little."""
        return bool(self.place) or find_source(self.source).is_local

    @property
    def crawl_options(self) -> "CrawlOptions":
        from hookwright_documentation.sources.options import CrawlOptions

        names = (one.name for one in fields(CrawlOptions) if hasattr(self, one.name))
        return CrawlOptions(**{name: getattr(self, name) for name in names})

    @property
    def options(self) -> dict[str, Any]:
        """What a manifest has no field of its own for."""
        return {"max_pages": self.max_pages, **self.list_chosen(*OWN, "license")}

    def list_chosen(self, *without: str) -> dict[str, Any]:
        """Return what is not as it is by default, as JSON has it, without some of the fields."""
        defaults = {one.name: one.default for one in fields(Recipe) if one.name not in without}
        exported = self.export()
        return {
            name: exported[name]
            for name, default in defaults.items()
            if getattr(self, name) != default
        }

    def export(self) -> dict[str, Any]:
        values = asdict(self).items()
        return {name: [*one] if isinstance(one, tuple) else one for name, one in values}


def take_lists(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(one) if isinstance(one, list) else one for name, one in values.items()}


def import_recipe(saved: dict[str, Any]) -> Recipe:
    """Return a recipe that was exported; raises KeyError, TypeError for anything else."""
    values = {one.name: saved[one.name] for one in fields(Recipe) if one.name in saved}
    recipe = Recipe(**take_lists(values))
    check_kinds(recipe)
    return replace(recipe, keywords=recipe.keywords or (recipe.name,))


def recall_recipe(manifest: "Manifest") -> Recipe:
    """Return the recipe that a database was made by; an imported one may lack parts of it."""
    values = {"license": manifest.license, **take_lists(manifest.options)}
    values |= {name: getattr(manifest, name) for name in OWN}
    known = {
        one.name: values[one.name]
        for one in fields(Recipe)
        if one.name in values and is_of_kind(values[one.name], one)
    }
    return Recipe(**{**known, "keywords": known.get("keywords") or (manifest.name,)})
