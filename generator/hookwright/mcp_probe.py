"""Start or connect to MCP servers like the client does, and list their tools."""

import logging
import os
import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import anyio
from httpx2 import AsyncByteStream, AsyncClient, Response
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.client.session import MessageHandlerFnT
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import PaginatedRequestParams

from hookwright.clients.claude.mcp_servers import TIME_LIMIT, VARIABLE, McpServer, Reply, Tool
from hookwright_console.text import make_printable

KINDS = ("stdio", "http", "sse")
REFUSED = {401, 403}  # statuses that refuse a token
PAGES = 100  # pages in a list of tools, which could be endless
TAIL = 10_000  # bytes of stderr to search for the last line
ERROR_NUMBER = re.compile(r"^\[Errno -?\d+\] ")  # meaningless to users
MAX_SHOWN = 200  # characters of stderr's last line, or of an error
MAX_ANSWER = 10_000_000  # bytes per answer


class TokenError(Exception):
    """A server rejects the token."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True)
class Fault:
    """A server's fault."""

    text: str  # the rest of a sentence about the server
    way_out: str = ""  # how to fix it; "" if the caller knows


def probe_servers(
    servers: Sequence[McpServer],
    time_limit: float = TIME_LIMIT,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> dict[str, Reply]:
    """Query servers for their tools concurrently, and return their replies by name.

    Servers started here are stopped afterwards, with their child processes. Each server has
    `time_limit` seconds. `progress` is called with the number of servers that have replied, and the
    total.
    """
    replies: dict[str, Reply] = {}

    async def probe(server: McpServer) -> None:
        replies[server.name] = await probe_server(server, time_limit)
        progress(len(replies), len(servers))

    async def probe_all() -> None:
        progress(0, len(servers))
        async with anyio.create_task_group() as group:
            for server in servers:
                group.start_soon(probe, server)

    anyio.run(probe_all)
    return replies


async def probe_server(server: McpServer, time_limit: float) -> Reply:
    if server.kind not in KINDS:
        return Reply(fault=f"has the type {server.kind}, which only the client can reach")
    rubbish: list[str] = []

    async def note(message: Any) -> None:
        if isinstance(message, Exception):
            rubbish.append(str(message))

    tools: list[Tool] = []

    async def list_tools(session: ClientSession) -> None:
        tools.extend(await fetch_tools(session))

    fault, output = await talk_to(server, time_limit, list_tools, note)
    if not fault:
        return Reply(tuple(tools))
    text = fault.text + ("; it prints something that is not MCP" if rubbish else "")
    return Reply(fault=f"{text}; it says: {output}" if output else text, way_out=fault.way_out)


async def talk_to(
    server: McpServer,
    time_limit: float,
    talk: Callable[[ClientSession], Awaitable[None]],
    note: MessageHandlerFnT,
) -> tuple[Fault | None, str]:
    """Connect to a server, and stop it afterwards if it was started here.

    `note` is called with each unsolicited message. Returns the server's fault, or None, and its
    last line on stderr.
    """
    for name in ("mcp", "client"):  # hide tracebacks, which also quote server text
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    output = ""
    with tempfile.TemporaryFile("w+") as errors:
        try:
            with anyio.fail_after(time_limit):
                async with AsyncExitStack() as stack:
                    try:
                        await talk(await open_session(server, errors, note, stack))
                    finally:  # read stderr before stopping the server, which may print more
                        output = read_last_line(errors)
        except TimeoutError:
            return Fault(f"did not respond within {time_limit:g} s"), output
        except Exception as error:  # noqa: BLE001 - whatever a server does is its fault
            return explain_error(server, error), output
    return None, output


async def open_session(
    server: McpServer, errors: TextIO, note: MessageHandlerFnT, stack: AsyncExitStack
) -> ClientSession:
    """Return a connection to a server, closed by the stack; its stderr goes to `errors`."""
    headers = dict(server.headers)
    transport: Any
    if server.kind == "sse":
        transport = sse_client(server.url, headers)
    elif server.kind == "http":
        # The headers are only for this address; MCP itself follows redirects within it.
        http = AsyncClient(
            headers={**headers, "Accept-Encoding": "identity"},
            follow_redirects=False,
            timeout=TIME_LIMIT,
            event_hooks={"response": [refuse_token, limit_answer]},
        )
        http = await stack.enter_async_context(http)
        transport = streamable_http_client(server.url, http_client=http)
    else:
        parameters = StdioServerParameters(
            command=server.command,
            args=list(server.args),
            env={**os.environ, **server.env},  # like the client
            # A user-level server must not run files from this folder, which `python -m` and npx
            # would do.
            cwd=Path.home() if server.scope == "user" else None,
        )
        transport = stdio_client(parameters, errors)
    # The client's handshake; some servers accept no other.
    reading, writing = await stack.enter_async_context(transport)
    session = ClientSession(reading, writing, message_handler=note)
    await stack.enter_async_context(session)
    await session.initialize()
    return session


async def refuse_token(response: Response) -> None:
    if response.status_code in REFUSED:
        raise TokenError(response.status_code)


async def limit_answer(response: Response) -> None:
    """Reject an answer that is too long, or compressed although compression was not requested."""
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise ValueError("it compresses its answers")
    if isinstance(response.stream, AsyncByteStream):
        response.stream = LimitedAnswer(response.stream)


class LimitedAnswer(AsyncByteStream):
    """An answer's bytes, up to a limit."""

    def __init__(self, stream: AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            if size > MAX_ANSWER:
                raise ValueError(f"an answer has over {MAX_ANSWER:,} bytes")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


async def fetch_tools(session: ClientSession) -> tuple[Tool, ...]:
    tools: list[Tool] = []
    cursor = None
    for _ in range(PAGES):
        page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor))
        tools += [read_tool(tool.name, tool.input_schema) for tool in page.tools]
        cursor = page.next_cursor
        if not cursor:
            break
    return tuple(tools)


def read_tool(name: str, schema: Mapping[str, Any]) -> Tool:
    properties, required = schema.get("properties"), schema.get("required")
    known = tuple(properties) if isinstance(properties, dict) else None
    if schema.get("additionalProperties"):
        known = None  # the tool accepts other arguments
    names = required if isinstance(required, list) else ()
    return Tool(name, known, tuple(text for text in names if isinstance(text, str)))


def explain_error(server: McpServer, error: BaseException) -> Fault:
    while group := getattr(error, "exceptions", ()):
        error = group[0]
    if isinstance(error, TokenError):
        return explain_refusal(server, error.status)
    return Fault(format_error(server, error))


def format_error(server: McpServer, error: BaseException) -> str:
    if isinstance(error, OSError) and server.command:
        return f"does not start ({server.command}: {error.strerror or error})"
    if isinstance(error, UnicodeDecodeError):
        return "prints bytes that are not text"
    if isinstance(error, UnicodeEncodeError):
        return "is configured with characters that no program accepts"
    # Each fault in the validation message ends with a link to a web page.
    text = " ".join(str(error).partition(" [type=")[0].split()) or type(error).__name__
    text = make_printable(text[:MAX_SHOWN]) + ("…" if len(text) > MAX_SHOWN else "")
    if server.url:
        return f"cannot be reached at {server.url}: {ERROR_NUMBER.sub('', text)}"
    return "exits before it answers" if text == "Connection closed" else text


def explain_refusal(server: McpServer, status: int) -> Fault:
    token = server.headers.get("Authorization", "")
    unset = VARIABLE.search(token)
    if unset:
        return Fault("needs a token", f"set the variable {unset[1]}")
    what = "rejects the token" if token else "needs a token"
    return Fault(f"{what} at {server.url} (status {status})", "ask its owner")


def read_last_line(text: TextIO) -> str:
    file = text.buffer
    file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
    lines = [line.strip() for line in file.read().decode("utf-8", "replace").splitlines()]
    return next((line[:MAX_SHOWN] for line in reversed(lines) if line), "")
