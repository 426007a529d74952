"""A tool routing hook that reads its routes from a JSON file on each run, for comparison.

It is the obvious first version: a configuration file next to the plugin's hooks, and each pattern
tried in turn.
"""

import json
import os
import re
import sys
from pathlib import Path


def main() -> int:
    """Answer the event on stdin; return the exit code."""
    try:
        path = Path(os.environ["CLAUDE_PLUGIN_ROOT"], "hooks", "tool-routes.json")
        routes = json.loads(path.read_text("utf-8"))["routes"]
        event = json.load(sys.stdin)
    except (KeyError, OSError, ValueError):
        return 0
    if event.get("tool_name") != "WebFetch":
        return 0
    url = event.get("tool_input", {}).get("url", "")
    for route in routes.values():
        if url and re.search(route["pattern"], url, re.IGNORECASE):
            print(route["message"], file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
