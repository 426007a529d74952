"""Read and write key-value pairs, from the command line or a prompt."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

BETWEEN = re.compile(r",\s*(?=[^\s,=]+=)")  # between two pairs; values may contain commas


def read_pairs(pairs: Iterable[str]) -> tuple[dict[str, Any], str]:
    """Parse KEY=VALUE pairs; return their values, and the first invalid pair's error or "".

    Values that are valid JSON, such as 5 or true, are parsed.
    """
    values = {}
    for pair in pairs:
        key, found, text = pair.partition("=")
        if not key.strip() or not found:
            return {}, f"expected KEY=VALUE, got {pair}"
        if key.strip() in values:
            return {}, f"{key.strip()} is set twice: set it once"
        values[key.strip()] = read_value(text.strip())
    return values, ""


def split_pairs(line: str) -> list[str]:
    return [pair for pair in BETWEEN.split(line.strip()) if pair]


def read_value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def write_pairs(values: Mapping[str, Any]) -> str:
    """Return values as a line of pairs that `read_pairs` can read back."""
    texts = {
        key: value
        if isinstance(value, str) and read_value(value) == value
        else json.dumps(value, ensure_ascii=False)
        for key, value in values.items()
    }
    return ", ".join(f"{key}={text}" for key, text in texts.items())
