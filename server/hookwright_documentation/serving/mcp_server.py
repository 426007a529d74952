"""Answer MCP requests with the official SDK, whatever they come over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from hookwright_console.errors import ReportedError
from hookwright_console.runner import word_error
from hookwright_console.text import make_printable, shorten
from hookwright_console.version import find_version
from hookwright_documentation.serving.answers import word_unknown_page
from hookwright_documentation.serving.open_databases import UnknownPageError
from hookwright_documentation.serving.registration import NAME
from hookwright_documentation.serving.tools import INSTRUCTIONS, TOOLS, call_tool

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from hookwright_documentation.serving.open_databases import OpenDatabases

THREADS = 4  # searches at once
LONGEST_ERROR = 1_000  # characters


def build_server(databases: OpenDatabases) -> Server[Any]:
    """Return the server of the tools.

    Args:
        databases: What the tools search and read.

    """
    reads_only = types.ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    )
    tools = [types.Tool(name=name, annotations=reads_only, **TOOLS[name]) for name in TOOLS]
    limiter = anyio.CapacityLimiter(THREADS)  # the API of the resident server has its own

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def answer(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if params.name not in TOOLS:
            raise MCPError(types.INVALID_PARAMS, f"unknown tool: {shorten(params.name)}")
        arguments = params.arguments or {}
        text, failed = await anyio.to_thread.run_sync(
            answer_call, databases, params.name, arguments, abandon_on_cancel=True, limiter=limiter
        )
        content = types.TextContent(type="text", text=text)
        return types.CallToolResult(content=[content], is_error=failed)

    server = Server[Any](
        NAME,
        version=find_version(),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=answer,
    )
    server.middleware.clear()  # OpenTelemetry, which takes half a millisecond of each request
    return server


def answer_call(databases: OpenDatabases, name: str, arguments: dict[str, Any]) -> tuple[str, bool]:
    """Return the answer of a tool or an error, and whether it is an error.

    An error is one line; URLs that sites wrote are quoted below it.
    """
    try:
        try:
            return call_tool(databases, name, arguments), False
        except UnknownPageError as error:
            return word_unknown_page(str(error), error.near), True
        except Exception as error:
            raise ReportedError(word_error(error)) from error
    except ReportedError as error:
        return make_printable(str(error))[:LONGEST_ERROR], True
