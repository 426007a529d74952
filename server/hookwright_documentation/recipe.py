"""What a user asks for when a documentation database is set up; a refresh asks for it again."""

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hookwright_documentation.crawl import CrawlOptions
    from hookwright_documentation.databases import Manifest

MAX_PAGES = 2_000


@dataclass(frozen=True)
class Recipe:
    """What a database is made of.

    Args:
        name: The name of the database.
        keywords: The words that send a search to it.
        source: The URL or folder to crawl.
        prefix: What the addresses of its pages begin with; "" to derive it from the source.
        max_pages: The most pages to fetch.
        license: The SPDX identifier of the licence, or "" if not known.
        engine: builtin or leann.
        language: The language to take, such as fr; "" for that of the source.
        version: The version to take, such as 3.12; "" for the stable or newest one.
        leann: Options of `leann build`.

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

    @property
    def title(self) -> str:
        """What the database documents; in the user's words, for an agent reads it."""
        return f"{self.keywords[0]} documentation"

    @property
    def crawl_options(self) -> "CrawlOptions":
        """The options of the crawl."""
        from hookwright_documentation.crawl import CrawlOptions

        return CrawlOptions(
            self.source,
            prefix=self.prefix,
            max_pages=self.max_pages,
            language=self.language,
            version=self.version,
        )

    @property
    def options(self) -> dict[str, Any]:
        """What of it a manifest has no field of its own for."""
        given = {name: getattr(self, name) for name in ("prefix", "language", "version", "leann")}
        own = {"keywords": [*self.keywords], "max_pages": self.max_pages}
        return own | {name: value for name, value in given.items() if value}

    def export(self) -> dict[str, Any]:
        """Return the recipe as JSON has it."""
        return {**asdict(self), "keywords": [*self.keywords], "leann": [*self.leann]}


def import_recipe(saved: dict[str, Any]) -> Recipe:
    """Return a recipe that was exported; raises KeyError, TypeError for anything else."""
    values = {field.name: saved[field.name] for field in fields(Recipe)}
    return Recipe(**values | {name: tuple(values[name]) for name in ("keywords", "leann")})


def recall_recipe(manifest: "Manifest") -> Recipe:
    """Return the recipe that a database was made by; an imported one may lack parts of it."""
    options = manifest.options
    return Recipe(
        manifest.name,
        tuple(options.get("keywords") or [manifest.name]),
        manifest.source,
        max_pages=int(options.get("max_pages") or MAX_PAGES),
        license=manifest.license,
        engine=manifest.engine,
        leann=tuple(options.get("leann") or ()),
        **{name: str(options.get(name) or "") for name in ("prefix", "language", "version")},
    )
