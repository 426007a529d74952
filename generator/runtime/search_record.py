"""Record when a search is denied for which databases."""

from typing import TYPE_CHECKING

from .docsearch import DATABASES, KEYWORDS
from .record import record_block

if TYPE_CHECKING:
    from typing import Any

    from .docsearch import Decision, Match

# --- rendered from here on ---


def record_search(
    matches: "list[Match]", event: "dict[str, Any]", decision: "Decision"
) -> "Decision":
    """Record each database of a denial by its name or first keyword; return the decision."""
    import json

    databases, blocks = json.loads(DATABASES), KEYWORDS.strip().split("\n\n")
    for match in matches:
        number = match[0]
        name = databases[number].get("name", blocks[number].split("\n")[0])
        record_block({"name": name}, event, decision)
    return decision
