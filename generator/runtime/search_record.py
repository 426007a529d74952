"""Record when a search is denied for which databases."""

from typing import TYPE_CHECKING

from docsearch import KEYWORDS
from record import record_block

if TYPE_CHECKING:
    from typing import Any

    from tool_routing import Decision

# --- rendered from here on ---


def record_search(
    matches: "list[tuple[int, str]]",
    databases: "list[dict[str, Any]]",
    event: "dict[str, Any]",
    decision: "Decision",
) -> None:
    """Add a line to the record for each database that a denial names, by its name or a keyword."""
    blocks = KEYWORDS.strip().split("\n\n")
    for number, _ in matches:
        name = databases[number].get("name", blocks[number].split("\n")[0])
        record_block({"name": name}, event, decision)
