"""Record when a search is denied for which databases."""

from typing import TYPE_CHECKING

from .docsearch import KEYWORDS
from .record import record_block

if TYPE_CHECKING:
    from typing import Any

    from .docsearch import Decision

# --- rendered from here on ---


def record_search(
    matches: "list[tuple[int, str, dict[str, Any]]]", event: "dict[str, Any]", decision: "Decision"
) -> "Decision":
    """Record each database of a denial by its name or first keyword; return the decision."""
    blocks = KEYWORDS.strip().split("\n\n")
    for number, _, database in matches:
        name = database.get("name", blocks[number].split("\n")[0])
        record_block({"name": name}, event, decision)
    return decision
