"""What MCP servers reply when they are asked for their tools."""

from dataclasses import dataclass

TIME_LIMIT = 10.0  # seconds for the reply of a server


@dataclass(frozen=True)
class Tool:
    """A tool of a server."""

    name: str  # as the server gives it
    arguments: tuple[str, ...] | None  # None if the server does not say
    required: tuple[str, ...]


@dataclass(frozen=True)
class Reply:
    """The reply of a server: its tools, or why it did not list them and what the user can do."""

    tools: tuple[Tool, ...] = ()
    fault: str = ""
    way_out: str = ""
