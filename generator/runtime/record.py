"""Record when which route or database blocks which tool, and nothing else about the call."""

from typing import TYPE_CHECKING

from .append import append_line
from .claude.folder import find_folder
from .event import explain

if TYPE_CHECKING:
    from typing import Any

    from .tool_routing import Decision

RECORD = "hook-blocks.tsv"
RECORD_SIZE = 500_000

# --- rendered from here on ---


def record_block(by: "dict[str, Any]", event: "dict[str, Any]", decision: "Decision") -> "Decision":
    """Add a block by a route or a database to the record; return the decision.

    A record that has become long is put aside, and a new one begins.
    """
    import os
    import time

    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    tool = "".join(filter(str.isprintable, event["tool_name"]))[:100]
    try:
        path = f"{find_folder()}/{RECORD}"
        if append_line(path, f"{when}\t{by['name']}\t{tool}\n".encode()) > RECORD_SIZE:
            os.replace(path, f"{path}.old")
    except OSError as error:
        explain(f"not recorded because of {error!r}")
    return decision
