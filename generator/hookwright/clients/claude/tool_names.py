"""Parse and build Claude Code's names of MCP tools, and its matchers of tools."""

import re

MARK = "mcp__"
FOREIGN = re.compile(r"[^A-Za-z0-9_-]")  # not allowed in tool names
NAMED = re.compile(r"\bmcp__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*__[A-Za-z0-9_-]*[A-Za-z0-9]")
UNLISTED = ("plugin_", "claude_ai_")  # name prefixes of servers from plugins and the account
LIST = re.compile(r"[\w\- ,|]*", re.ASCII)  # anything else is a regular expression
SEPARATOR = re.compile(r"(?<!\s)\s*[|,]\s*")
BEFORE_CALL = "PreToolUse"

SEARCH = "WebSearch"


def build_prefix(server: str) -> str:
    return f"{MARK}{FOREIGN.sub('_', server)}__"


def is_mcp(tool: str) -> bool:
    return tool.startswith(MARK)


def check_tool_name(tool: str) -> str:
    """Return the fault of a full tool name, or ""; the client's own names are capitalised."""
    if is_mcp(tool) or not tool[:1].islower():
        return ""
    return f"{tool} is not the full name of a tool: mcp__SERVER__TOOL is one"


def split_tool(full_name: str) -> tuple[str, str]:
    """Return the server and tool of mcp__SERVER__TOOL; ("", "") for other names."""
    mark, _, rest = full_name.partition(MARK)
    server, found, tool = rest.partition("__")
    return (server, tool) if not mark and found and server and tool else ("", "")


def read_server(tool: str) -> str:
    return tool.removeprefix(MARK).partition("__")[0]


def find_named(text: str) -> list[str]:
    return list(dict.fromkeys(NAMED.findall(text)))


def is_unlisted(server: str) -> bool:
    """Return whether a server comes from a plugin or the account, so that no file configures it."""
    return server.startswith(UNLISTED)


def list_rules(tool: str) -> set[str]:
    server = tool.rpartition("__")[0]
    return {tool, server, "__".join(tool.split("__")[:2]), f"{server}__*", f"{MARK}*"}


def split_matcher(matcher: str) -> list[str] | None:
    """Return the tools that a matcher lists, or None for a regular expression."""
    return SEPARATOR.split(matcher) if LIST.fullmatch(matcher) else None


def covers(matcher: str, tool: str) -> bool:
    """Return whether a matcher in the settings covers a tool."""
    if matcher in {"", "*"}:
        return True
    tools = split_matcher(matcher)
    if tools is not None:
        return tool in tools
    try:
        return re.search(matcher, tool) is not None
    except re.error:
        return False
