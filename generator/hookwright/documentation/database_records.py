"""Write the records by which a project's hook sends searches to documentation databases."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hookwright.answers.schema import name_database
from hookwright.clients.claude.tool_names import build_prefix
from hookwright.discovery.ambiguous_keywords import FIELD, mark_ordinary
from hookwright.discovery.search_tools import LEANN
from hookwright.documentation.servers import DATABASE, OUR_NAME, SEARCH
from hookwright_console.errors import ReportedError
from hookwright_console.objects import pick, pick_texts
from hookwright_console.text import shorten
from hookwright_documentation.databases import (
    NAME,
    Manifest,
    find_folder,
    list_names,
    open_database,
)
from hookwright_documentation.leann import LINK
from hookwright_documentation.recipes.recipe import Engine, Recipe, recall_recipe
from hookwright_documentation.sources.git.repository import FORGES

MAX_SHOWN = 3  # databases that have a word, too
# As generator/schema.json has it for `domains`; localhost is no domain that a search is limited to.
DOMAIN = re.compile(r"[A-Za-z0-9-]+(?:[.][A-Za-z0-9-]+)+")


# Hosts of many projects: a search there is not one for any of them.
SHARED_HOSTS = FORGES | {"devdocs.io", "pypi.org", "readthedocs.org"}


def build_record(recipe: Recipe, prefix: str, server: str) -> dict[str, Any]:
    """Return the record of a database.

    Args:
        recipe: What the database is made of.
        prefix: What the addresses of its pages begin with; "" if not known yet.
        server: The name of the MCP server that searches it.

    """
    folder = find_folder(recipe.name).absolute()
    tool, arguments = SEARCH, {DATABASE: recipe.name}
    if recipe.engine == "leann":
        tool, arguments = build_prefix(server) + LEANN.name, {LEANN.argument: str(folder / LINK)}
    domains = dict.fromkeys([*list_domains(prefix or recipe.source), *recipe.domains])
    record = {
        "keywords": [*recipe.keywords],
        **({"name": recipe.name} if recipe.name != recipe.keywords[0] else {}),
        "path": str(folder),
        "mcp_tool_name": tool,
        "arguments": arguments,
        "description": recipe.title,
        **({"domains": [*domains]} if domains else {}),
        **({FIELD: True} if recipe.ambiguous else {}),
    }
    return mark_ordinary(record)


def list_made() -> list[dict[str, Any]]:
    """Return the records of the documentation databases that our own server searches."""
    records = []
    for name in list_names():
        with suppress(ReportedError):  # it is damaged, which doctor tells
            manifest = open_database(name).manifest
            if manifest.engine == Engine.BUILTIN:
                recipe = recall_recipe(manifest)
                records.append(build_record(recipe, find_site(manifest), OUR_NAME))
    return records


def list_domains(address: str) -> list[str]:
    """Return the domains that a database stands for, by the address of its pages."""
    parts = urlsplit(address)
    host = (parts.hostname or "") if parts.scheme in {"http", "https"} else ""
    return [host] if DOMAIN.fullmatch(host) and host not in SHARED_HOSTS else []


def find_site(manifest: Manifest) -> str:
    return str(manifest.options.get("site") or manifest.prefix)


def list_former_domains(manifest: Manifest) -> list[str]:
    return [*list_domains(find_site(manifest)), *recall_recipe(manifest).domains]


def is_ours(record: Mapping[str, Any], name: str) -> bool:
    """Return whether a record is for the documentation database of a name."""
    path = record.get("path")
    return isinstance(path, str) and Path(path) == find_folder(name).absolute()


def is_of(record: Mapping[str, Any], server: str) -> bool:
    return str(record.get("mcp_tool_name")).startswith(build_prefix(server))


def find_database(record: Mapping[str, Any]) -> str:
    """Return the name of the documentation database that a record, by anyone, is for, or ""."""
    arguments = pick(record, "arguments")
    if record.get("mcp_tool_name") == SEARCH:
        name = str(arguments.get(DATABASE, ""))
        return name if NAME.match(name) else ""
    index = Path(str(arguments.get(LEANN.argument, "")))
    name = index.parent.name
    return name if index.name == LINK and NAME.match(name) and is_ours(record, name) else ""


def list_shared_words(
    there: Iterable[Mapping[str, Any]], records: Sequence[Mapping[str, Any]], server: str
) -> list[str]:
    """Return lines on the keywords and domains of new records that other databases have, too.

    The new `records` lead to `server`, and replace its old ones in a project.
    """
    names = set(map(name_database, records))
    others = [one for one in there if not (is_of(one, server) and name_database(one) in names)]
    lines = []
    for number, record in enumerate(records):
        for field, noun in (("keywords", "keyword"), ("domains", "domain")):
            for word in pick_texts(record, field):
                same = [
                    name_database(one)
                    for one in [*others, *records[:number]]
                    if word.casefold() in map(str.casefold, pick_texts(one, field))
                ]
                if same:
                    lines.append(
                        f"{name_database(record)} has the {noun} {shorten(word)}, which is "
                        f"also of {', '.join(map(shorten, same[:MAX_SHOWN]))}"
                    )
    return lines
