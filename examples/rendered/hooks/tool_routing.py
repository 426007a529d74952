#!/usr/bin/env python3
# ID: 1593892e4ab84b4c2b8d352590ec4410
"""Redirect a call to a better tool: a fetch of a URL, or a shell command.

A Claude Code PreToolUse hook, rendered by Hookwright.
It reads an event on stdin. The first route whose pattern matches the input decides: it blocks the
call and suggests an alternative, allows it, or allows it with a warning. On any error, the call
passes. HOOKWRIGHT_DEBUG=1 explains the decision on stderr.

Do not edit the tables: change the answers with `copier update` (see README.md).
"""

import sys

TYPE_CHECKING = False  # as in typing, which takes longer to import than everything else here
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any

    Decision = tuple[str, str]

# fmt: off
# Every input that a route matches contains one of these lower-case texts, by input field.
LITERALS = {
    "url": """
/-/merge_requests/
""",
    "command": """
://gitlab.com/api/v4/
kubectl
""",
}

# The routes in the order they are tried, as JSON: only calls with such a text need to parse it.
ROUTES = r"""
[
    {
        "name": "gitlab-merge-request",
        "tool": "WebFetch",
        "pattern": "^https?://gitlab\\.com/(?P<project>[\\w./-]+)/-/merge_requests/(?P<number>\\d+)",
        "contains": "/-/merge_requests/",
        "requires": "glab",
        "message": "Run in Bash:\nglab mr view {number} --comments --repo https://gitlab.com/{project}\nIt shows description and discussion, of private projects, too.",
        "words": "number"
    },
    {
        "name": "gitlab-api",
        "tool": "Bash",
        "pattern": "\\b(?:curl|wget)\\b(?:(?!\\b(?:curl|wget)\\b)[^|;&\\n])*\\s\\S?https?://gitlab\\.com/api/v4/(?P<path>[\\w./?=%-]+(?:&[\\w.%=-]+)*)(?![^\\s'\"|);<>&`]|&[^\\s&])",
        "contains": "://gitlab.com/api/v4/",
        "requires": "glab",
        "message": "Run:\nglab api {path} --hostname gitlab.com\nIt signs in by itself, so private projects work. --paginate gets every page.",
        "words": "path"
    },
    {
        "name": "kubectl-delete-namespace",
        "tool": "Bash",
        "pattern": "\\bkubectl\\s+delete\\s+(?:ns|namespaces?)\\s+(?P<name>[\\w-]+)",
        "contains": "kubectl",
        "action": "warn",
        "message": "This deletes all that runs in the namespace; kubectl get all -n {name} lists it.",
        "words": "name"
    }
]
"""  # noqa: E501 - as long as the answers
# fmt: on

try:  # os builds on posix, but takes a tenth of Python's startup time to import
    from posix import _exit as end_process
    from posix import environ
except ImportError:  # on Windows
    import os

    end_process = os._exit
    environ = dict(zip(map(os.fsencode, os.environ), map(os.fsencode, os.environ.values())))

DEBUG = b"1" in (environ.get(b"HOOKWRIGHT_DEBUG"), environ.get(b"TOOL_ROUTING_DEBUG"))


def answer_event(
    decide: "Callable[..., Any]", respond: "Callable[[Any, bytes], int]", *more: "Any"
) -> None:
    """Answer the event on stdin with the result of `decide` for its bytes, and exit.

    `decide` also receives `more`. `respond` prints and flushes a decision, unless it is None, and
    returns the exit code. On any error, even a closed stdout or Ctrl-C, the call or prompt is
    allowed, because a broken hook must not break the agent.
    """
    status = 0
    if not DEBUG:
        sys.stderr = None  # Python may print a warning, for example about a pattern
    try:
        raw = sys.stdin.buffer.read()
        decision = decide(raw, *more)
        if decision is not None:
            status = respond(decision, raw)
    except BaseException as error:  # noqa: BLE001 - fail open
        explain("let through because of " + repr(error))
    finally:
        end_process(status)  # a regular exit would add a fifth of Python's startup time


def explain(line: str) -> None:
    """Explain a decision on stderr if HOOKWRIGHT_DEBUG is 1."""
    if DEBUG and sys.stderr:
        print("hookwright:", line, file=sys.stderr, flush=True)


COPILOT = environ.get(b"COPILOT_CLI") == b"1"

# The client's names for its events and tools.
CALL, START = "PreToolUse", "SessionStart"
SEARCH, FETCH, SHELL = "WebSearch", "WebFetch", "Bash"
# How the agent loads the named tools.
LOADING = 'ToolSearch "select:%s" loads it.'


def read_event(raw: bytes) -> "Any":
    """Return an event with the fields used by decisions, in Claude Code's form.

    These are hook_event_name, session_id, agent_id, tool_name and tool_input. Raises any exception
    for invalid events.
    """
    import json

    return json.loads(raw.decode())


def print_decision(decision: "tuple[str, str]", raw: bytes) -> int:
    """Print the reason for a denial, and any note, for the agent; return the exit code.

    The decision consists of the reason to deny the call, or "", and additional context for the
    agent, or "". `raw` is the event.
    """
    import json

    reason, context = decision
    output = {"hookEventName": CALL}
    if reason:
        output.update(permissionDecision="deny", permissionDecisionReason=reason)
    if context:
        output["additionalContext"] = context
    if reason or context:
        print(json.dumps({"hookSpecificOutput": output}), flush=True)
    if COPILOT and b'"permission_mode"' not in raw:  # sent by Claude Code, even within Copilot
        return 0
    if reason and sys.__stderr__:  # print writes to stdout if it is closed
        print(*filter(None, decision), sep="\n", file=sys.__stderr__, flush=True)
    return 2 if reason else 0


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


# Matches Unicode's Default_Ignorable_Code_Point and printable blanks; emoji keep their U+FE0F.
INVISIBLE = (
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U00016fe4"
    r"\U00013441\U00013442\U0001d159\U000e0100-\U000e01ef]"
    r"|(?<![#*0-9\xa9\xae\u203c-\u3299\U0001f000-\U0001faff])\ufe0f|(?<=[#*0-9])\ufe0f(?!\u20e3)"
)


def strip_texts(command: str) -> str:
    r"""Return a shell command without comments, heredoc bodies and quoted texts with white space.

    An ellipsis replaces each quoted text with white space, except for the commands in its $(...);
    other quoted words stay. A line continued with \ counts as one line. If a quote or bracket is
    not closed, its line and everything after it are omitted.
    """
    import re

    bare = re.compile(
        r"""(?:[^\\'"`()<\#\n$]|\\.|\$(?![('])|(?<=[^\s;&|(`])\#)+"""
        r"""|(?P<text>\$'(?:[^'\\]|\\.)*'|'[^']*')"""
        r"""|<<<|(?P<heredoc><<-?[ \t]*(?:[^\s;&|<>()'"\\]|\\.|'[^']*'|"[^"]*")+)"""
        r"""|(?P<comment>\#[^\n]*)|(?P<opener>\$?\(\(?|["'`])|.""",
        re.DOTALL,
    )
    quoted = re.compile(r"""(?:[^\\"`$]|\\.|\$(?!\())+|(?P<opener>\$\(\(?|`)|.""", re.DOTALL)
    kept: list[str] = []
    opened: list[tuple[str, list[int]]] = [("", [])]  # closers, and the quoted texts in a word
    heredocs: list[str] = []
    position = readable = 0
    while position < len(command):
        closer, texts = opened[-1]
        arithmetic = closer[1:] != ""  # in "))" or a bracket inside it, << is a bit shift
        found = (quoted if closer == '"' else bare).match(command, position)
        piece, kind = (found[0], found.lastgroup) if found else (command[position], None)
        position += len(piece)
        kept.append(piece if kind == "text" else piece.replace("\\\n", ""))
        if closer.startswith(piece):
            close(opened, kept)
        elif kind == "opener":
            opened.append((piece.lstrip("$").replace("(", ")") + " " * arithmetic, []))
        elif closer == '"' or kind == "text":
            texts.append(len(kept) - 1)
        elif kind == "comment":
            kept.pop()
        elif kind == "heredoc" and not arithmetic:
            heredocs.append(piece)
        elif any(character.isspace() or character in ";&|<>" for character in kept[-1]):
            elide(kept, texts)
            if piece == "\n":
                position = skip_heredocs(command, position, heredocs)
                heredocs = []
                readable = len(kept) if len(opened) == 1 else readable
    elide(kept, opened[-1][1])
    return "".join(kept if len(opened) == 1 else kept[:readable])


def close(opened: "list[tuple[str, list[int]]]", kept: "list[str]") -> None:
    """Close the innermost bracket or quote; a quoted text becomes part of the word around it."""
    closer, texts = opened.pop()
    if closer == '"':
        opened[-1][1].extend(texts)
    else:
        elide(kept, texts)
    if closer == "))":
        opened.append((")", []))


def elide(kept: "list[str]", texts: "list[int]") -> None:
    """Replace a word's quoted texts by ellipses if one contains white space."""
    if any(character.isspace() for text in texts for character in kept[text]):
        for text in texts:
            kept[text] = "…"
    texts.clear()


def skip_heredocs(command: str, position: int, heredocs: "list[str]") -> int:
    """Return the end of these heredocs' bodies, the first of which starts at the position.

    Each heredoc is an operator with its delimiter as in the command, such as <<-'EOF'.
    """
    for heredoc in heredocs:
        indented = heredoc.startswith("<<-")
        word = "".join(c for c in heredoc[2 + indented :].strip() if c not in "'\"\\")
        line = None
        while line != word and position < len(command):
            end = command.find("\n", position)
            end = len(command) if end < 0 else end
            line = command[position:end].lstrip("\t" if indented else "")
            position = min(end + 1, len(command))
    return position


# Tools that run shell commands.
SHELLS = [SHELL, "PowerShell", "Monitor"]

# Returns the part of a shell command to match.
READ_COMMAND = strip_texts

if __name__ == "__main__":
    answer_event(decide, print_decision, [])
