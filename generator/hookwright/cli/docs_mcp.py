"""Serve documentation over MCP."""

import sys

from hookwright.cli.terminal import say


def docs_mcp() -> None:
    """Serve your documentation databases to a coding agent over MCP.

    The agent starts this command and talks to it over stdin and stdout; hookwright setup registers
    it. It offers the tools search_docs, read_page and list_databases.
    """
    if sys.stdin.isatty():
        say("waiting for an MCP client on stdin: press Ctrl-C to end")
    from hookwright_documentation.serving.stdio import serve_stdio

    serve_stdio()
