"""Read TOML, JSON and YAML from untrusted projects."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hookwright_documentation.stack.manifest import UnreadableError

MAX_DEPTH = 50  # maximum YAML nesting levels
MAX_TOML = 1_000_000  # characters
MAX_DOTS = 40  # dots in a TOML key, because parsing takes quadratic time and memory
ITEM = "-"  # the key used for list items
Path = tuple[str, ...]


def read_toml(text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    if len(text) > MAX_TOML:
        raise UnreadableError(f"it is over {MAX_TOML // 1_000_000} MB")
    if any(part.count(".") > MAX_DOTS for line in text.splitlines() for part in line.split("=")):
        raise UnreadableError(f"a line has over {MAX_DOTS} dots")
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnreadableError(f"it is not TOML: {error}") from None
    except (ValueError, RecursionError):  # an invalid date; deeply nested lists
        raise UnreadableError("it is not TOML") from None
    return tables


def read_json(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableError(f"line {error.lineno} is not JSON") from None
    except (ValueError, RecursionError):  # a number of 5,000 digits; deeply nested lists
        raise UnreadableError("it is not JSON") from None
    if not isinstance(value, dict):
        raise UnreadableError("it is not a JSON object")
    return value


def read_yaml(text: str) -> Iterator[tuple[Path, str]]:
    """Yield each scalar in a YAML file with the path of keys that leads to it.

    List items have the key "-". Values stay text, and aliases are skipped so that nested aliases
    cannot exhaust the memory.
    """
    import yaml

    levels: list[Level] = []
    try:
        for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.CollectionStartEvent):
                if len(levels) == MAX_DEPTH:
                    raise UnreadableError(f"it is over {MAX_DEPTH} levels deep")
                levels.append(Level(ITEM if isinstance(event, yaml.SequenceStartEvent) else None))
            elif isinstance(event, yaml.CollectionEndEvent):
                levels.pop()
                end_value(levels)
            elif isinstance(event, yaml.NodeEvent):  # a scalar or an alias
                value = event.value if isinstance(event, yaml.ScalarEvent) else ""
                if levels and levels[-1].key is None:
                    levels[-1].key = value
                    continue
                yield tuple(level.key or "" for level in levels), value
                end_value(levels)
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}" if error.problem_mark else "it"
        raise UnreadableError(f"{line} is not YAML") from None
    except yaml.YAMLError:
        raise UnreadableError("it is not YAML") from None


@dataclass
class Level:
    """A mapping or list that is being read."""

    key: str | None  # the next value's key; None before a key, ITEM in a list


def end_value(levels: list[Level]) -> None:
    if levels and levels[-1].key is not ITEM:
        levels[-1].key = None
