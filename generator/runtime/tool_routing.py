"""Send a call that has a better tool to that tool: a fetch of a URL, or a shell command.

What follows the marker becomes the tool_routing hook, below the tables that the answers are
compiled into and that this module shows empty.
"""

from typing import TYPE_CHECKING

from event import DEBUG, explain
from placeholders import fill_placeholders

if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any

    Decision = tuple[str, str]

LITERALS: "dict[str, str]" = {}
ROUTES = "[]"

# --- rendered from here on ---


def route_call(
    raw: bytes, read: "Callable[[str], str]", steps: "list[Callable[..., Decision]]"
) -> "Decision | None":
    """Return the reason to deny the call in `raw` with, or "", and what else to tell the agent.

    Or None, where no route matches. `read` returns what of a shell command is searched; the steps
    each return what becomes of a block, given its route, its event and the decision so far.
    Raises any exception for bytes that are no call, and what the steps raise: the call is let
    through then.
    """
    if not DEBUG and not may_match(raw):
        return None
    import json

    event = json.loads(raw.decode())
    if event.get("hook_event_name", "PreToolUse") != "PreToolUse":
        return None
    tool, tool_input = event["tool_name"], event["tool_input"]
    searched = tool_input
    if tool == "Bash" and "command" in tool_input:
        searched = {**tool_input, "command": read(tool_input["command"])}
    for route in json.loads(ROUTES):
        try:
            match = match_route(route, tool, tool_input if route.get("raw") else searched)
        except Exception as error:  # noqa: BLE001 - the other routes still work
            explain(f"{route['name']}: passed over because of {error!r}")
            continue
        if match:
            return take_route(route, match, event, steps)
    return None


def may_match(raw: bytes) -> bool:
    r"""Tell from the bytes of an event whether a route might match; that none does is certain.

    Without a \u or \/ escape, plain characters that are next to each other in a text are so in the
    bytes. After "key" there come its value and what follows; where the key stands there once, and
    a string behind it, that string is the value.
    """
    plain = raw.replace(b"\\\\", b"\0")
    if b"\\u" in plain or b"\\/" in plain:
        return True
    for field, literals in LITERALS.items():
        key = f'"{field}"'.encode()
        _, found, rest = plain.partition(key)
        if not found:
            continue
        colon, _, value = rest.partition(b'"')
        if colon.strip() == b":" and key not in rest:
            rest = value.replace(b'\\"', b"\0").partition(b'"')[0]
        text = fold(rest.replace(b"\0\\n", b"").decode())  # a line that goes on is one line
        if any(literal in text for literal in literals[1:-1].split("\n")):
            return True
    return False


def fold(text: str) -> str:
    """Return the text in lower case, and in ASCII what regular expressions take for ASCII.

    Only these four do, when case is ignored: the long s, the Kelvin sign, the dotted and the
    dotless i of Turkish.
    """
    return text.replace("\u0130", "i").replace("\u0131", "i").replace("\u017f", "s").lower()


def match_route(
    route: "dict[str, Any]", tool: str, tool_input: "dict[str, Any]"
) -> "re.Match[str] | None":
    """Return how a route's pattern matches the input of a call, or None where the route does not.

    Raises any exception for a pattern that this Python does not take, and for an input that is not
    what the tool gets.
    """
    import re

    name, named = route["name"], route["tool"]
    if tool != named and not re.fullmatch(named, tool):
        explain(f"{name}: is not for {tool}")
        return None
    field = route.get("field") or ("command" if tool == "Bash" else "url")
    value = tool_input.get(field)
    for text in value if isinstance(value, list) else [value]:
        match = None
        if isinstance(text, str) and route["contains"] in fold(text):
            match = re.search(route["pattern"], text, 0 if tool == "Bash" else re.IGNORECASE)
        explain(f"{name}: {'matches' if match else 'does not match'} {str(text)[:200]!r}")
        if match and "requires" in route and not is_command(route["requires"]):
            explain(f"{name}: passed over, for there is no command {route['requires']}")
        elif match:
            return match
    return None


def is_command(name: str) -> bool:
    """Tell whether a command of this name can be run on this machine."""
    import os

    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        for path in (f"{folder}/{name}", f"{folder}/{name}.exe", f"{folder}/{name}.cmd"):
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return True
    return False


def take_route(
    route: "dict[str, Any]",
    match: "re.Match[str]",
    event: "dict[str, Any]",
    steps: "list[Callable[..., Decision]]",
) -> "Decision | None":
    """Return what a route that matches a call says of it, as `route_call` does."""
    action = route.get("action", "block")
    explain(f"{route['name']}: is the first that matches; its action is {action}")
    if action == "allow":
        return None
    message = describe_match(route, match, event) + fill_placeholders(route, match)
    if action == "warn":
        return "", message
    decision = (message, "")
    for step in steps:
        if decision[0]:
            decision = step(route, event, decision)
    return decision


def describe_match(route: "dict[str, Any]", match: "re.Match[str]", event: "dict[str, Any]") -> str:
    """Return what debug mode puts before a message: route, input and pattern; or nothing."""
    if not DEBUG:
        return ""
    what = {"WebFetch": "URL", "Bash": "command"}.get(event["tool_name"], "input")
    matched = f"Matched {what}: {ascii(match.string[:200])[1:-1]}"
    return f"❌ Tool Routing: {route['name']}\n{matched}\nPattern: {route['pattern']}\n\n"
