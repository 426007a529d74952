"""Take values from objects that may hold anything, such as parsed JSON or TOML."""

from collections.abc import Mapping
from typing import Any


def pick(holder: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the mapping at a key, or an empty one where there is something else."""
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def pick_texts(holder: Mapping[str, Any], key: str) -> list[str]:
    """Return the texts of the list at a key, or none where there is something else."""
    value = holder.get(key)
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
