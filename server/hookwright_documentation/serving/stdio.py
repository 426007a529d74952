"""Serve a single client over stdin and stdout."""

import json
import os
import signal
import sys
from contextlib import suppress

import anyio
import mcp_types as types
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from hookwright_documentation.serving.mcp_server import build_server
from hookwright_documentation.serving.tool_runner import ToolRunner


def serve_stdio() -> None:
    """Serve until stdin is closed, then exit.

    SIGTERM, Ctrl-C and a client that stops reading end the process immediately, because there is
    nothing to save and a thread waiting for stdin would not notice them.
    """
    for name in ("SIGINT", "SIGTERM", "SIGPIPE"):  # Windows has no SIGPIPE
        if number := getattr(signal, name, None):
            signal.signal(number, signal.SIG_DFL)
    anyio.run(serve)
    sys.stderr.flush()
    os._exit(0)  # exits without waiting for a running search


async def serve() -> None:
    server = build_server(ToolRunner())
    checked, messages = anyio.create_memory_object_stream[SessionMessage | Exception]()
    async with stdio_server() as (reading, writing), anyio.create_task_group() as tasks:
        sys.stdout = sys.stderr  # the SDK restores stdout at the end: a search may still print then

        async def check() -> None:
            async with checked:
                async for message in reading:
                    if isinstance(message, ValidationError):  # which the SDK would silently drop
                        reason = message.errors()[0]["msg"]
                        error = types.ErrorData(code=types.INVALID_REQUEST, message=reason)
                        answer = types.JSONRPCError(jsonrpc="2.0", id=find_id(message), error=error)
                        await writing.send(SessionMessage(answer))
                    else:
                        await checked.send(message)

        tasks.start_soon(check)
        await server.run(messages, writing, server.create_initialization_options())


def find_id(error: ValidationError) -> str | int | None:
    """Return the ID of an invalid request, or None if it has none."""
    for fault in error.errors():
        request = fault["input"]
        with suppress(ValueError, RecursionError):
            request = json.loads(request) if isinstance(request, str) else request
        if isinstance(request, dict) and "method" in request:
            number = request.get("id")
            return number if type(number) in (str, int) else None
    return None
