"""Read values from untyped objects, such as parsed JSON or TOML."""

import json
from collections.abc import Mapping
from typing import Any


def parse_object(text: Any) -> dict[str, Any]:
    """Return the object in a JSON text, or {} for any other text."""
    try:
        value = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def pick(holder: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the mapping at a key, or an empty mapping if the value has another type."""
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def pick_texts(holder: Mapping[str, Any], key: str) -> list[str]:
    """Return the strings in the list at a key, or an empty list if the value has another type."""
    value = holder.get(key)
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
