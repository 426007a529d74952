"""A fake of LEANN's MCP server: its four tools with their real schemas, but no index.

It speaks the protocol over stdio like LEANN 0.3.8: one JSON-RPC message per line, and no reply to
unknown methods.
"""

import json
import sys
from typing import Any

TEXT, YES = {"type": "string"}, {"type": "boolean"}
NUMBER = {"type": "integer"}


def describe(name: str, required: list[str], **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": name, "inputSchema": schema}


TOOLS = [
    describe(
        "leann_search",
        ["index_name", "query"],
        index_name=TEXT,
        query=TEXT,
        top_k={**NUMBER, "default": 5, "minimum": 1, "maximum": 20},
        complexity={**NUMBER, "default": 32, "minimum": 16, "maximum": 128},
    ),
    describe("leann_list", []),
    describe("leann_build", ["docs"], docs=TEXT, index_name=TEXT, backend_name=TEXT, force=YES),
    describe("leann_status", ["index_name"], index_name=TEXT),
]


def answer(method: str, parameters: dict[str, Any]) -> "dict[str, Any] | None":
    if method == "initialize":
        return {
            "protocolVersion": parameters["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "leann", "version": "0.3.8"},
        }
    return {"tools": TOOLS} if method == "tools/list" else None


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        result = answer(message["method"], message.get("params") or {})
        if "id" in message and result is not None:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
