"""Serve one client over stdin and stdout."""

import os
import signal
import sys
from functools import partial

import anyio
from mcp.server.stdio import stdio_server

from hookwright_documentation.serving.mcp_server import build_server
from hookwright_documentation.serving.open_databases import OpenDatabases
from hookwright_documentation.serving.tool_runner import ThreadRunner


def serve_stdio() -> None:
    """Serve until stdin is closed, and end this process.

    SIGTERM, Ctrl-C and a client that reads no more end it at once: nothing has to be saved, and a
    thread that waits for stdin would not notice them.
    """
    for name in ("SIGINT", "SIGTERM", "SIGPIPE"):  # Windows has no SIGPIPE
        if number := getattr(signal, name, None):
            signal.signal(number, signal.SIG_DFL)
    anyio.run(partial(serve, OpenDatabases()))
    sys.stderr.flush()
    os._exit(0)  # which does not wait for a search that goes on in its thread


async def serve(databases: OpenDatabases) -> None:
    """Serve until stdin is closed."""
    server = build_server(ThreadRunner(databases))
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
