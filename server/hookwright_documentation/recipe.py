"""What a user asks for when a documentation database is set up; a refresh asks for it again."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from hookwright_documentation.databases import check_kinds
from hookwright_documentation.sources.recognition import find_path

if TYPE_CHECKING:
    from hookwright_documentation.crawl.options import CrawlOptions
    from hookwright_documentation.databases import Manifest

MAX_PAGES = 2_000
TEXTS = ("prefix", "language", "version", "description", "python")  # that may be ""
LISTS = ("leann", "domains", "exclusions")  # that may be empty


@dataclass(frozen=True)
class Recipe:
    """What a database is made of.

    Args:
        name: The name of the database.
        keywords: The words that send a search to it.
        source: The URL or folder to crawl, or another source that `crawl` takes.
        prefix: What the addresses of its pages begin with; "" to derive it from the source.
        max_pages: The most pages to fetch.
        license: The SPDX identifier of the licence, or "" if not known.
        engine: builtin or leann.
        language: The language to take, such as fr; "" for that of the source.
        version: The version to take, such as 3.12; "" for the stable or newest one.
        leann: Options of `leann build`.
        description: What the database documents, for an agent; "" to say it by the keyword.
        domains: Those that it stands for besides that of its pages.
        exclusions: What the addresses of pages to leave out begin with, below the prefix.
        ambiguous: Whether its keywords are ordinary words, too, which the hook does not know.
        python: The environment of installed packages; "" where the source is none.
        is_strangers: Whether its addresses are of an archive, and not of the user.

    """

    name: str
    keywords: tuple[str, ...]
    source: str
    prefix: str = ""
    max_pages: int = MAX_PAGES
    license: str = ""
    engine: str = "builtin"
    language: str = ""
    version: str = ""
    leann: tuple[str, ...] = ()
    description: str = ""
    domains: tuple[str, ...] = ()
    exclusions: tuple[str, ...] = ()
    ambiguous: bool = False
    python: str = ""
    is_strangers: bool = False

    @property
    def title(self) -> str:
        """What the database documents; never in the words of a page, for an agent reads it."""
        return self.description or f"{self.keywords[0]} documentation"

    @property
    def place(self) -> str:
        """The file or folder of this computer that it is read from, "" for any other source."""
        return find_path(self.source) or self.python

    @property
    def crawl_options(self) -> "CrawlOptions":
        """The options of the crawl."""
        from hookwright_documentation.crawl.options import CrawlOptions

        return CrawlOptions(
            self.source,
            prefix=self.prefix,
            max_pages=self.max_pages,
            language=self.language,
            version=self.version,
            exclusions=self.exclusions,
            python=self.python,
            is_strangers=self.is_strangers,
        )

    @property
    def options(self) -> dict[str, Any]:
        """What of it a manifest has no field of its own for."""
        own = {"keywords": [*self.keywords], "max_pages": self.max_pages}
        texts = {name: getattr(self, name) for name in TEXTS if getattr(self, name)}
        lists = {name: [*getattr(self, name)] for name in LISTS if getattr(self, name)}
        flags = {name: True for name in ("ambiguous", "is_strangers") if getattr(self, name)}
        return own | texts | lists | flags

    def export(self) -> dict[str, Any]:
        """Return the recipe as JSON has it."""
        return asdict(self) | {name: [*getattr(self, name)] for name in ("keywords", *LISTS)}


def import_recipe(saved: dict[str, Any]) -> Recipe:
    """Return a recipe that was exported; raises KeyError, TypeError for anything else."""
    values = {one.name: saved[one.name] for one in fields(Recipe) if one.name in saved}
    lists = [name for name in ("keywords", *LISTS) if name in values]
    recipe = Recipe(**values | {name: tuple(values[name]) for name in lists})
    check_kinds(recipe)
    return replace(recipe, keywords=recipe.keywords or (recipe.name,))


def recall_recipe(manifest: "Manifest") -> Recipe:
    """Return the recipe that a database was made by; an imported one may lack parts of it."""
    options = manifest.options
    lists: dict[str, Any] = {name: pick_texts(options, name) for name in LISTS}
    texts: dict[str, Any] = {name: str(options.get(name) or "") for name in TEXTS}
    most = options.get("max_pages")
    return Recipe(
        manifest.name,
        pick_texts(options, "keywords") or (manifest.name,),
        manifest.source,
        max_pages=most if isinstance(most, int) and most > 0 else MAX_PAGES,
        license=str(options.get("license", manifest.license)),
        engine=manifest.engine,
        **lists,
        **texts,
        ambiguous=options.get("ambiguous") is True,
        is_strangers=options.get("is_strangers") is True,
    )


def pick_texts(options: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return the texts of an option, none where it is something else."""
    value = options.get(name)
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()
