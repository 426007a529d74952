"""Answer MCP requests with the official SDK over any transport."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from hookwright_console.text import shorten
from hookwright_console.version import find_version
from hookwright_documentation.serving.registration import NAME
from hookwright_documentation.serving.tools import INSTRUCTIONS, TOOLS

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from hookwright_documentation.serving.tool_runner import ToolRunner


def build_server(runner: ToolRunner) -> Server[Any]:
    reads_only = types.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    tools = [types.Tool(name=name, annotations=reads_only, **TOOLS[name]) for name in TOOLS]

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if params.name not in TOOLS:
            raise MCPError(types.INVALID_PARAMS, f"unknown tool: {shorten(params.name)}")
        answer = await runner.run(params.name, params.arguments or {})
        content = types.TextContent(type="text", text=answer.text)
        meta = dict(answer.meta) or None
        return types.CallToolResult(content=[content], is_error=answer.failed, _meta=meta)

    server = Server[Any](
        NAME,
        version=find_version(),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.clear()  # removes OpenTelemetry's, because the server is not traced
    return server
