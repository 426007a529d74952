"""What a database was made of, to tell whether anything changed since."""

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright_console.regular_files import read_regular
from hookwright_console.version import find_version
from hookwright_documentation.databases import Database
from hookwright_documentation.recipe import Recipe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookwright_documentation.pages import FetchedPage

ORIGIN = "origin.json"  # in a generation: what it was made of


def find_origin(recipe: Recipe, fetched: Path) -> dict[str, Any]:
    """Return what a database would be made of: the recipe, the pages, and our version."""
    from hookwright_documentation.crawl import read_fetched

    return {
        "recipe": recipe.export(),
        "digest": digest_pages(read_fetched(fetched)),
        "version": find_version(),
    }


def digest_pages(fetched: "Iterable[FetchedPage]") -> str:
    digest = hashlib.sha256()
    for one in fetched:
        for part in (one.url.encode(), one.content_type.encode(), one.body):
            digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


def read_origin(database: Database) -> dict[str, Any]:
    """Return what a database was made of; {} if that is not known."""
    try:
        origin = json.loads(read_regular(database.folder / ORIGIN))
    except (OSError, ValueError, RecursionError):
        return {}
    return origin if isinstance(origin, dict) else {}
