"""Record when which route or database blocks which tool, and nothing else of the call."""

from typing import TYPE_CHECKING

from append import append_line
from event import explain
from memory import find_folder

if TYPE_CHECKING:
    from typing import Any

    from tool_routing import Decision

RECORD = "hook-blocks.tsv"
RECORD_SIZE = 500_000

# --- rendered from here on ---


def record_block(of: "dict[str, Any]", event: "dict[str, Any]", decision: "Decision") -> "Decision":
    """Add the block to the record, which is begun anew where it is long; return the decision.

    `of` is the route or the database that it is of.
    """
    import os
    import time

    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    tool = "".join(filter(str.isprintable, event["tool_name"]))[:100]
    try:
        path = f"{find_folder()}/{RECORD}"
        if append_line(path, f"{when}\t{of['name']}\t{tool}\n".encode()) > RECORD_SIZE:
            os.replace(path, f"{path}.old")
    except OSError as error:
        explain(f"not recorded because of {error!r}")
    return decision
