"""A docsearch hook that reads its databases from a JSON file on each run, for comparison.

It is the obvious first version: a configuration file, a regular expression per keyword, and a state
file per session that is read, changed and written back.
"""

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

FOLDER = Path(os.environ.get("CLAUDE_CONFIG_DIR", Path.home() / ".claude")) / "hooks"
RETRY_WINDOW = 300  # seconds


def find_databases(query: str, databases: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for database in databases:
        for keyword in database["keywords"]:
            if re.search(rf"(?<!\w){re.escape(keyword)}(?!\w)", query, re.IGNORECASE):
                found.append((keyword, database))
                break
    return found


def is_retry(state: Path, search: dict[str, Any]) -> bool:
    try:
        denied = json.loads(state.read_text())["last_denied"]
    except (OSError, ValueError, KeyError):
        return False
    recent: bool = time.time() - denied.pop("timestamp") < RETRY_WINDOW
    return recent and denied == search


def main() -> int:
    """Answer the event on stdin; return the exit code."""
    event = json.load(sys.stdin)
    if event.get("tool_name") != "WebSearch":
        return 0
    config = json.loads((FOLDER / "docsearch-config.json").read_text())
    tool_input = event["tool_input"]
    search = {
        "query": tool_input["query"],
        "allowed_domains": sorted(tool_input.get("allowed_domains", [])),
        "blocked_domains": sorted(tool_input.get("blocked_domains", [])),
    }
    state = FOLDER / f"docsearch-state-{event['session_id']}.json"
    if is_retry(state, search):
        state.unlink()
        return 0
    found = find_databases(search["query"], config["databases"])
    if not found:
        return 0
    state.write_text(json.dumps({"last_denied": {**search, "timestamp": int(time.time())}}))
    keyword, database = found[0]
    decision = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": f"Query matches '{keyword}' - using RAG database instead",
        "additionalContext": f"Use '{database['mcp_tool_name']}' at {database['path']}",
    }
    print(json.dumps({"hookSpecificOutput": decision}))
    return 2


if __name__ == "__main__":
    sys.exit(main())
