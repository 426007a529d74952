"""Redirect a call to a better tool: a fetch of a URL, or a shell command.

Its tables, empty here, are generated from the answers. An agent may paste a message into a shell,
and the text that fills its placeholders comes from a URL that anybody can write; the rendering
checks where they are.
"""

from typing import TYPE_CHECKING

from runtime.dialects.claude import CALL, FETCH, SHELL, find_memory_folder, read_event
from runtime.disabled import is_disabled
from runtime.event import DEBUG, explain
from runtime.invisible import INVISIBLE
from runtime.memory import forget_expired, name_memory, recall_denial, remember_denial
from runtime.record import append_line

if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any

    Decision = tuple[str, str]

LITERALS: "dict[str, str]" = {}
ROUTES = "[]"
RETRY_WINDOW = 300
FATIGUE_LIMIT = 1
SHELLS = [SHELL]
READ_COMMAND: "Callable[[str], str]" = str

# --- rendered from here on ---


LONGEST = 100_000  # maximum characters to search: longer texts would take seconds


def decide(raw: bytes, trace: "list[Any]", *steps: "Callable[..., Decision]") -> "Decision | None":
    """Return the decision about the call in `raw`: the reason (or "") and a note; or None.

    Each route that is tried adds a tuple to `trace`: its name, the outcome (matches, does not
    match, other tool, requires, disabled, error), the deciding text, and its action. Debug mode
    also tries routes that cannot match.

    `steps` remember and log a block; `hookwright try` passes none, so nothing is written. Raises
    any exception for invalid events; the call is then allowed.
    """
    if not DEBUG and not may_match(raw):
        return None
    return route_call(read_event(raw), trace, steps)


def may_match(raw: bytes) -> bool:
    r"""Return whether an event's bytes might match a route; only False is certain.

    Without a \u or \/ escape, adjacent plain characters of a text are also adjacent in the bytes.
    The text after "key" starts with the key's value; if the key occurs once and a string follows,
    that string is the value.
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
        text = fold(rest.replace(b"\0\\n", b"").decode())  # join continued lines
        if any(literal in text for literal in literals[1:-1].split("\n")):
            return True
    return False


def fold(text: str) -> str:
    """Return the text in lower case, with ASCII letters folded like in case-insensitive patterns.

    They treat four other characters as ASCII letters: the long s, the Kelvin sign, and Turkish
    dotted and dotless i.
    """
    return text.replace("\u0130", "i").replace("\u0131", "i").replace("\u017f", "s").lower()


def route_call(
    event: "dict[str, Any]", trace: "list[Any]", steps: "tuple[Callable[..., Decision], ...]"
) -> "Decision | None":
    """Return the decision about a call in the form that `decide` returns."""
    import json

    if event.get("hook_event_name", CALL) != CALL:
        return None
    tool, tool_input = event["tool_name"], event["tool_input"]
    searched = tool_input
    if tool in SHELLS and "command" in tool_input:
        searched = {**tool_input, "command": READ_COMMAND(tool_input["command"][:LONGEST])}
        explain(f"searching {searched['command'][:200]!r}")
    for route in json.loads(ROUTES):
        given, match = tool_input if route.get("raw") else searched, None
        try:
            outcome, text, match = match_route(route, tool, given)
        except Exception as error:  # noqa: BLE001 - the other routes still work
            outcome, text = "error", repr(error)
        trace.append((route["name"], outcome, text, route.get("action", "block")))
        explain(f"{route['name']}: {outcome} {text[:200]!r}")
        if match:
            return take_route(route, match, event, steps)
    return None


def match_route(
    route: "dict[str, Any]", tool: str, tool_input: "dict[str, Any]"
) -> "tuple[str, str, re.Match[str] | None]":
    """Return a route's outcome, the text that decided it, and the pattern's match.

    Raises any exception if this Python rejects the pattern, or for unexpected input.
    """
    import re

    is_shell = tool in SHELLS
    names = [tool, SHELL] if is_shell else [tool]
    if route["tool"] not in names and not any(re.fullmatch(route["tool"], name) for name in names):
        return "other tool", "", None
    outcome = "does not match", "", None
    field = route.get("field") or ("command" if is_shell else "url")
    value = tool_input.get(field)
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and route["contains"] in fold(text[:LONGEST]):
            match = re.search(route["pattern"], text[:LONGEST], 0 if is_shell else re.IGNORECASE)
            if match and ("requires" not in route or is_command(route["requires"])):
                return "matches", match[0], match
            if match:
                outcome = "requires", route["requires"], None
    return outcome


def is_command(name: str) -> bool:
    """Return whether a command of this name is installed."""
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
    steps: "tuple[Callable[..., Decision], ...]",
) -> "Decision | None":
    """Return the decision of a matching route in the form that `route_call` returns."""
    action = route.get("action")
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
    """Return debug mode's message prefix (route, input and pattern), or nothing."""
    if not DEBUG:
        return ""
    tool = event["tool_name"]
    what = "command" if tool in SHELLS else "URL" if tool == FETCH else "input"
    mark = "⚠️" if route.get("action") == "warn" else "❌"
    matched = f"Matched {what}: {ascii(match.string[:200])[1:-1]}"
    return f"{mark} Tool Routing: {route['name']}\n{matched}\nPattern: {route['pattern']}\n\n"


# --- rendered as repetition ---


def allow_repetition(
    route: "dict[str, Any]", event: "dict[str, Any]", decision: "Decision"
) -> "Decision":
    """Return the decision with a note about repeating the call, or allow a repeated call.

    Raises OSError if the block cannot be saved, because the call would otherwise be blocked
    forever.
    """
    if not route.get("once"):
        return decision
    folder = find_memory_folder()
    forget_expired(folder, "tool_routing", RETRY_WINDOW)
    call = {"tool": event["tool_name"], **event["tool_input"]}
    if call["tool"] in SHELLS:
        call["description"] = ""  # for the user; agents often reword it when they repeat a call
    memory = f"{folder}/{name_memory('tool_routing', event, call)}.json"
    if recall_denial(memory, {"route": route["name"]}, RETRY_WINDOW):
        explain(
            f"{route['name']}: lets the call through, since it blocked the identical one before"
        )
        return "", ""
    remember_denial(memory, {"route": route["name"]})
    reason, context = decision
    return f"{reason}\n\nIf that falls short, repeat the identical {call['tool']} call.", context


# --- rendered as disabling ---


def pass_over_disabled(
    match_route: "Callable[..., tuple[str, str, re.Match[str] | None]]",
) -> "Callable[..., tuple[str, str, re.Match[str] | None]]":
    """Return the result of `match_route`, unless the route is disabled."""

    def match_enabled(
        route: "dict[str, Any]", tool: str, tool_input: "dict[str, Any]"
    ) -> "tuple[str, str, re.Match[str] | None]":
        outcome, text, match = match_route(route, tool, tool_input)
        if match and is_disabled(route):
            return "disabled", route["disabled"], None
        return outcome, text, match

    return match_enabled


# --- rendered as placeholders ---


def fill_placeholders(route: "dict[str, Any]", match: "re.Match[str]") -> str:
    r"""Return a route's message with each {name} replaced by the text that its group matched.

    If a placeholder is a whole word, shell metacharacters in its text are escaped with \.
    Elsewhere, they are percent-encoded in a URL and otherwise not allowed. An unsafe or overlong
    text is replaced by the placeholder's name in capitals.
    """
    import re

    unsafe = r"(?i)[-=~+]|(?:.*(?:[/\\]|%2f|%5c))?(?:\.|%2e){2}(?:[/\\?#;]|%2f|%5c|$)"
    longest = 2_000  # maximum characters of an inserted text
    groups = match.groupdict("")
    left: dict[str, str] = {}

    def write(placeholder: "re.Match[str]") -> str:
        name = placeholder[1]
        if name not in groups:
            return placeholder[0]
        if len(groups[name]) > longest:
            return left.setdefault(name.upper(), name.upper())
        text = "".join(filter(str.isprintable, re.sub(INVISIBLE, "", groups[name])))
        more = "" if name in route.get("scopes", "").split() else "|@|.*=@|.*@[./~]"
        safe = name not in route.get("code", "").split() and not re.match(unsafe + more, text)
        if name in route.get("words", "").split():
            text = re.sub(r"[^\w@%+=:,./-]", r"\\\g<0>", text)
            text = re.sub(r"^(\w+\+?)=", r"\1\\=", text)  # might set a variable
        else:
            if re.search("[^!-~]|[!\"'()*<>^`{|}]", text) and re.match("(?i)https?:", match.string):
                from urllib.parse import quote

                text = quote(text, "@%+:,/=$&;?#[]\\")  # encoding these would change their meaning
            safe = safe and not re.search("[^A-Za-z0-9_@%+:,./=-]", text)
        return text if safe else left.setdefault(name.upper(), name.upper())

    message = re.sub(r"(?<!\$)\{(\w+)\}", write, route["message"].strip())
    names = " and ".join(left)
    note = f"\n\nFill in {names} yourself: the call's value is not safe in a shell command."
    return message + note if left else message


# --- rendered as fatigue ---


def limit_blocks(
    route: "dict[str, Any]", event: "dict[str, Any]", decision: "Decision"
) -> "Decision":
    """Return the decision, or only a note once the route has reached the session's block limit.

    Each block adds a byte to a file for the session and route. Raises OSError if the block cannot
    be counted, because calls would otherwise be blocked forever.
    """
    name, folder = route["name"], find_memory_folder()
    forget_expired(folder, "tool_routing-blocks", 86400, "")  # a session may last a day
    session = {"session_id": event.get("session_id")}
    counter = f"{folder}/{name_memory('tool_routing-blocks', session, {'route': name})}"
    if append_line(counter, b".") <= FATIGUE_LIMIT:
        return decision
    return "", f"Let through: {name} has blocked {FATIGUE_LIMIT} calls in this session."
