"""Find what is wrong with the file of a recipe, which anyone may have written."""

import errno
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hookwright.answers.validation import list_faults
from hookwright.answers.yaml_reader import MisplacedError, Place, read_document
from hookwright.discovery.ambiguous_keywords import find_ambiguous
from hookwright.documentation.records import build_record
from hookwright.recipes.ready import ReadyRecipe, build_ready_recipe
from hookwright.template.store import find_template
from hookwright_console.files.regular import open_regular
from hookwright_console.hidden_characters import is_visible
from hookwright_console.text import make_printable, shorten

SCHEMA = Path(__file__).with_name("schema.json")
MAX_SIZE = 100_000  # bytes of a file
SUFFIX = ".yml"
KINDS: Mapping[
    str, tuple[type[Any], str]
] = {  # of values, and what the schema calls the length of each
    "string": (str, "Length"),
    "array": (list, "Items"),
    "object": (dict, "Properties"),
    "boolean": (bool, ""),
}
NEEDED = "give the file of a recipe, such as react.yml"


@dataclass(frozen=True)
class RecipeFault:
    """What is wrong with a recipe.

    Args:
        field: Where, such as keywords[0]; "" for the file as a whole.
        value: What is there, "" for nothing.
        way_out: What to do.

    """

    field: str
    value: str
    way_out: str

    def __str__(self) -> str:
        parts = (shorten(self.field), shorten(self.value), make_printable(self.way_out))
        return ": ".join(filter(None, parts))


def list_recipe_faults(path: Path) -> list[RecipeFault]:
    """Return what is wrong with the file of a recipe; what the schema says hides all else."""
    try:
        values = read_document(read_text(path)).value
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "not UTF-8"
        return [RecipeFault("", "", f"cannot read it ({reason}): {NEEDED}")]
    except MisplacedError as error:
        return [RecipeFault(f"line {error.line + 1}", "", str(error))]
    if faults := list(find_hidden_text(values)) or list(find_schema_faults(values)):
        return faults
    recipe = build_ready_recipe(values)
    return [
        *find_name_faults(recipe, path),
        *find_address_faults(recipe),
        *find_keyword_faults(recipe),
        *find_license_faults(recipe),
    ]


def read_text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        OSError: It cannot be read.
        ValueError: It is too long, or not UTF-8.

    """
    with open_regular(path) as file:
        content = file.read(MAX_SIZE + 1)
    if len(content) > MAX_SIZE:
        raise OSError(errno.EFBIG, "too long", str(path))
    return content.decode("utf-8")


def find_hidden_text(values: object, place: Place = ()) -> Iterator[RecipeFault]:
    """Yield the texts with characters that a person does not see, and an agent reads."""
    items: Any = ()
    if isinstance(values, Mapping):
        items = values.items()
    elif isinstance(values, list):
        items = enumerate(values)
    elif isinstance(values, str) and not is_visible(values):
        yield RecipeFault(name_field(place), values, "take out the hidden characters")
    for key, value in items:
        yield from find_hidden_text(str(key), (*place, str(key)))
        yield from find_hidden_text(value, (*place, key))


def find_schema_faults(
    value: object, rule: Mapping[str, Any] | None = None, place: Place = ()
) -> Iterator[RecipeFault]:
    schema = read_schema()
    rule = schema if rule is None else rule
    if "$ref" in rule:
        rule = {**schema["definitions"][rule["$ref"].rpartition("/")[2]], **rule}
    if not is_as_ruled(value, rule):
        shown = value if isinstance(value, str) else json.dumps(value, default=str, skipkeys=True)
        yield RecipeFault(name_field(place), shown, f"give {describe(rule, place)}")
    elif isinstance(value, dict):
        known = rule["properties"]
        for name in sorted({*rule.get("required", ())} - {*value}):
            yield RecipeFault(name, "", f"give {describe(known[name], place)}")
        for name in sorted({*map(str, value)} - {*known}):
            yield RecipeFault(name_field((*place, name)), "", f"use one of {', '.join(known)}")
        for name in known:
            if name in value:
                yield from find_schema_faults(value[name], known[name], (*place, name))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from find_schema_faults(one, rule["items"], (*place, number))


def is_as_ruled(value: Any, rule: Mapping[str, Any]) -> bool:
    if "enum" in rule:
        return value in rule["enum"]
    kind, unit = KINDS[rule["type"]]
    if not unit or not isinstance(value, kind):
        return isinstance(value, kind)
    repeated = rule.get("uniqueItems") and any(one in value[:at] for at, one in enumerate(value))
    is_long = len(value) > rule.get(f"max{unit}", len(value))
    is_short = len(value) < rule.get(f"min{unit}", 0)
    return not (is_long or is_short or repeated) and (
        "pattern" not in rule or bool(re.search(rule["pattern"], value))
    )


def describe(schema: Mapping[str, Any], place: Place) -> str:
    """Return what a part of the schema says of a field, or else the field that it is in."""
    field = read_schema()["properties"].get(place[0], {}) if place else {}
    return str(schema.get("description") or field.get("description") or "a mapping of fields")


def name_field(place: Place) -> str:
    """Return the name of a place, such as packages.pypi[0]."""
    return "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in place)[1:]


def find_name_faults(recipe: ReadyRecipe, path: Path) -> Iterator[RecipeFault]:
    if path.name != recipe.name + SUFFIX:
        yield RecipeFault("name", recipe.name, f"call the file {recipe.name}{SUFFIX}")


def find_address_faults(recipe: ReadyRecipe) -> Iterator[RecipeFault]:
    from hookwright_documentation.crawl.addresses import may_be_own
    from hookwright_documentation.crawl.urls import normalize

    for name in ("source", "prefix", "versioned"):
        address = getattr(recipe, name)
        host = urlsplit(address.format(major="1", minor="2", patch="3")).hostname or ""
        if not address:
            continue
        if may_be_own(host):
            yield RecipeFault(name, address, "give an address on the internet")
        elif not any(f".{host}".endswith(f".{domain}") for domain in recipe.domains):
            yield RecipeFault(name, address, f"add {host} to domains, or correct the address")
        elif "{" not in address and normalize(address) != address:
            yield RecipeFault(name, address, f"give it as {shorten(normalize(address))}")
    if recipe.version_from and not recipe.versioned:
        yield RecipeFault("version_from", "", "leave it out, as versioned is missing")
    if not recipe.source.startswith(recipe.prefix):
        way_out = "give one that the source begins with, or leave it out"
        yield RecipeFault("prefix", recipe.prefix, way_out)
    for number, domain in enumerate(recipe.domains):
        if may_be_own(domain):
            yield RecipeFault(f"domains[{number}]", domain, "give one of the internet")


def find_keyword_faults(recipe: ReadyRecipe) -> Iterator[RecipeFault]:
    stored = recipe.build_recipe()
    record = build_record(stored, stored.prefix, "")
    for fault in list_faults(find_template(), "databases", [record]):
        value = str(fault.value or "")
        yield RecipeFault(name_field(fault.path[2:]), value, f"{fault.message}: {fault.way_out}")
    for one in find_ambiguous([record]):
        way_out = f"{one.meaning}, too: use a longer keyword, or add ambiguous: true"
        yield RecipeFault("keywords", one.keyword, way_out)


def find_license_faults(recipe: ReadyRecipe) -> Iterator[RecipeFault]:
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    try:
        canonical = canonicalize_license_expression(recipe.license) if recipe.license else ""
    except InvalidLicenseExpression:
        way_out = "give the SPDX identifier, or LicenseRef-NAME, or leave it out"
        yield RecipeFault("license", recipe.license, way_out)
        return
    if canonical != recipe.license:
        yield RecipeFault("license", recipe.license, f"write it as {canonical}")


@cache
def read_schema() -> Mapping[str, Any]:
    """Return the schema of recipes."""
    schema: Mapping[str, Any] = json.loads(SCHEMA.read_text("utf-8"))
    return schema
