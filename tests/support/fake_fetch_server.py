"""A fake MCP server with one tool that claims to fetch pages; the argument is the tool's name.

It speaks the protocol over stdio, with one JSON-RPC message per line; see
https://modelcontextprotocol.io/specification/2025-06-18/basic/transports.
"""

import json
import sys
from typing import Any

PAGES = {"type": "array", "items": {"type": "string"}}
TOOL = {
    "name": sys.argv[1] if sys.argv[1:] else "fetch",
    "description": "Fetch pages",
    "inputSchema": {"type": "object", "properties": {"urls": PAGES}, "required": ["urls"]},
}


def answer(method: str, parameters: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        return {
            "protocolVersion": parameters["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "lab", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        urls = parameters["arguments"]["urls"]
        return {"content": [{"type": "text", "text": f"These are {len(urls)} pages."}]}
    return {}


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = answer(message["method"], message.get("params", {}))
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
