"""Find errors in a recipe file, which may come from an untrusted author."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hookwright_console.text import is_visible, make_printable, shorten
from hookwright_documentation.recipes.recipe import ReadyRecipe

SCHEMA = Path(__file__).with_name("schema.json")
SUFFIX = ".yml"
Place = tuple[str | int, ...]  # keys and indices that lead to a value


@dataclass(frozen=True)
class RecipeFault:
    """An error in a recipe."""

    field: str  # field name, such as keywords[0]; "" for the whole file
    value: str  # the invalid value, or ""
    way_out: str

    def __str__(self) -> str:
        parts = (shorten(self.field), shorten(self.value), make_printable(self.way_out))
        return ": ".join(filter(None, parts))


def list_form_faults(values: object) -> list[RecipeFault]:
    """Return a recipe file's hidden text and schema violations."""
    faults = dict.fromkeys(find_hidden_text(values)) or dict.fromkeys(find_schema_faults(values))
    return sorted(faults, key=lambda fault: fault.field)


def list_content_faults(recipe: ReadyRecipe, file: str) -> list[RecipeFault]:
    """Return errors in the content of a recipe that matches the schema."""
    named = file == recipe.name + SUFFIX
    fault = RecipeFault("name", recipe.name, f"call the file {recipe.name}{SUFFIX}")
    return [
        *(() if named else (fault,)),
        *find_address_faults(recipe),
        *find_license_faults(recipe),
    ]


def find_hidden_text(values: object, place: Place = ()) -> Iterator[RecipeFault]:
    """Yield texts with characters that are invisible to people but read by agents."""
    items: Any = ()
    if isinstance(values, Mapping):
        items = values.items()
    elif isinstance(values, list):
        items = enumerate(values)
    elif isinstance(values, str) and not is_visible(values):
        yield RecipeFault(name_field(place), values, "remove the hidden characters")
    for key, value in items:
        yield from find_hidden_text(str(key), (*place, str(key)))
        yield from find_hidden_text(value, (*place, key))


def find_schema_faults(values: object) -> Iterator[RecipeFault]:
    from jsonschema import Draft7Validator

    for error in Draft7Validator(read_schema()).iter_errors(values):
        place, value, known = tuple(error.absolute_path), error.instance, error.schema
        if error.validator == "required":
            for name in sorted({*error.validator_value} - {*value}):
                way_out = f"use {describe_field(known['properties'][name], (*place, name))}"
                yield RecipeFault(name_field((*place, name)), "", way_out)
        elif error.validator == "additionalProperties":
            for name in sorted({*map(str, value)} - {*known["properties"]}):
                way_out = f"use one of {', '.join(known['properties'])}"
                yield RecipeFault(name_field((*place, name)), "", way_out)
        else:
            text = json.dumps(value, default=str, skipkeys=True)
            shown = value if isinstance(value, str) else text
            yield RecipeFault(name_field(place), shown, f"use {describe_field(known, place)}")


def describe_field(schema: Mapping[str, Any], place: Place) -> str:
    """Return the schema's description of a field or of its parent."""
    field = read_schema()["properties"].get(place[0], {}) if place else {}
    return str(schema.get("description") or field.get("description") or "a mapping of fields")


def name_field(place: Place) -> str:
    """Return a field's name, such as packages.pypi[0]."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)[1:]


def find_address_faults(recipe: ReadyRecipe) -> Iterator[RecipeFault]:
    from hookwright_documentation.sources.site.addresses import may_be_own
    from hookwright_documentation.sources.urls import normalize

    for name in ("source", "prefix", "versioned"):
        address = getattr(recipe, name)
        host = urlsplit(address.format(major="1", minor="2", patch="3")).hostname or ""
        if not address:
            continue
        if may_be_own(host):
            yield RecipeFault(name, address, "use a public address")
        elif not any(f".{host}".endswith(f".{domain}") for domain in recipe.domains):
            yield RecipeFault(name, address, f"add {host} to domains, or correct the address")
        elif "{" not in address and normalize(address) != address:
            yield RecipeFault(name, address, f"write it as {shorten(normalize(address))}")
    if recipe.version_from and not recipe.versioned:
        yield RecipeFault("version_from", "", "remove it, or set versioned")
    if not recipe.source.startswith(recipe.prefix):
        way_out = "use a prefix of the source, or remove it"
        yield RecipeFault("prefix", recipe.prefix, way_out)
    for number, domain in enumerate(recipe.domains):
        if may_be_own(domain):
            yield RecipeFault(f"domains[{number}]", domain, "use a public domain")


def find_license_faults(recipe: ReadyRecipe) -> Iterator[RecipeFault]:
    from hookwright_documentation.cutting.licenses import canonicalize

    canonical = canonicalize(recipe.license)
    if recipe.license and not canonical:
        way_out = "use the SPDX identifier, or LicenseRef-NAME, or leave it out"
        yield RecipeFault("license", recipe.license, way_out)
    elif canonical != recipe.license:
        yield RecipeFault("license", recipe.license, f"write it as {canonical}")


@cache
def read_schema() -> Mapping[str, Any]:
    schema: Mapping[str, Any] = json.loads(SCHEMA.read_text("utf-8"))
    return schema
