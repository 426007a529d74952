"""Ask for a route's record."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from hookwright.answers.schema import build_sample
from hookwright.patterns.check import check_pattern, find_fault, list_doubts, list_groups
from hookwright.patterns.url_pattern import EITHER, PASTED, propose_pattern
from hookwright.simulate.batch import TEXTS, Call
from hookwright.simulate.trial import explain_call, list_warnings
from hookwright.wizard.form import Form
from hookwright_console.text import shorten

# Fields that have their own question, or none.
OWN = ("pattern", "message", "tool", "field", "action", "requires", "contains")
NAME = "name"  # not a field of the record: routes are listed by name
DEFAULTS = {"tool": "WebFetch", "action": "block", "once": False}
TOOLS = {
    "WebFetch": "WebFetch - fetching a URL",
    "Bash": "Bash - running a command",
    "": "another tool",
}
ACTIONS = {
    "block": "block it, and tell the agent what to do instead",
    "warn": "let it through, with a message for the agent",
    "allow": "let it through, whatever other routes say",
}
# Example patterns by tool.
PATTERNS = {
    "WebFetch": r"^https?://github\.com/(?P<repo>[\w.-]+/[\w.-]+)/pull/(?P<number>\d+)",
    "Bash": r"\bcurl\b.*\bapi\.github\.com/(?P<path>[\w/-]+)",
}
HEADING = (
    "Route",
    "A call that matches its pattern is blocked, and the agent is told what to do instead.",
)
CALLED = {"WebFetch": "URLs", "Bash": "commands"}
MESSAGE = "Run: gh pr view {number} --repo {repo} --comments"
CALLS = {"WebFetch": "https://github.com/octo/hello/pull/42", "Bash": "curl https://example.com"}


def fill_route(
    form: Form,
    others: Mapping[str, Mapping[str, Any]],
    fields: Mapping[str, Any] | None = None,
) -> tuple[str, dict[str, Any]] | None:
    """Ask for a route until the user keeps or drops it; return its name and record, or None.

    `fields` and the name are already known.
    """
    ask, preview = partial(ask_route, form), partial(try_route, form, others)
    filled = form.fill(HEADING, ask, fields or {}, {}, preview)
    return split_name(filled) if filled else None


def split_name(record: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a route's name, and its record without fields that have their default value."""
    kept = {key: value for key, value in record.items() if value != DEFAULTS.get(key)}
    return record[NAME], {key: value for key, value in kept.items() if key != NAME}


def ask_route(
    form: Form, fields: Mapping[str, Any], suggested: Mapping[str, Any]
) -> dict[str, Any]:
    record = dict(fields)
    if NAME not in record:
        record[NAME] = ask_name(form, suggested.get(NAME, ""))
    if "tool" not in record:
        record["tool"] = ask_tool(form, suggested.get("tool", "WebFetch"))
    if "field" not in record and record["tool"].startswith("mcp__"):
        question = "Which field of its input does the pattern match?"
        record["field"] = form.ask_field("routes", "field", question, suggested.get("field", "url"))
    if "pattern" not in record:
        record["pattern"] = ask_pattern(form, record["tool"], suggested.get("pattern", ""))
    if "action" not in record:
        action = suggested.get("action", "block")
        record["action"] = form.dialogue.ask_choice("What happens to such a call?", ACTIONS, action)
    if "message" not in record and record["action"] != "allow":
        record["message"] = form.ask_field(
            "routes",
            "message",
            "What should the agent be told?" + describe_groups(record["pattern"]),
            suggested.get("message", ""),
            example=MESSAGE,
            pattern=record["pattern"],
        )
    if "requires" not in record and (
        command := form.ask_field(
            "routes",
            "requires",
            "Which command does that need? If it is missing, the hook skips the route.",
            suggested.get("requires", ""),
            example="gh",
            may_be_empty=True,
        )
    ):
        record["requires"] = command
        form.warn_of_command(command)
    if "once" not in record and record["action"] == "block":
        question = "Let the identical call through when the agent repeats it?"
        record["once"] = form.dialogue.ask_yes(question, default=suggested.get("once", False))
    record.update(form.ask_others("routes", (*OWN, *record), suggested))
    return record


def ask_name(form: Form, suggested: str) -> str:
    def check(text: str) -> str:
        if text in form.routes:
            return f"a route named {text} already exists"
        return form.check("routes", build_sample("routes"), text)

    return form.dialogue.ask_text(
        "What is the route called?", suggested, example="github-pr", check=check
    )


def ask_tool(form: Form, suggested: str) -> str:
    known = suggested if suggested in TOOLS else ""
    tool = form.dialogue.ask_choice("Which tool's calls does it apply to?", TOOLS, known)
    return tool or form.ask_field(
        "routes",
        "tool",
        "Its full name, or a pattern of names:",
        "" if known else suggested,
        example="mcp__.*fetch.*",
    )


def ask_pattern(form: Form, tool: str, suggested: str) -> str:
    def check(text: str) -> str:
        return find_flaw(form, tool, text)

    def is_like_url(text: str) -> bool:
        return tool == "WebFetch" and EITHER.fullmatch(text) is not None

    def check_either(text: str) -> str:
        if not is_like_url(text):
            return check(text)
        try:
            propose_pattern(text)
        except ValueError as error:
            return str(error)
        return ""

    urls = "Paste one of them, or write a regular expression."
    pattern = form.dialogue.ask_text(
        f"Which {CALLED.get(tool, 'calls')}? "
        + (urls if tool == "WebFetch" else "A regular expression."),
        suggested,
        example=PATTERNS.get(tool, PATTERNS["WebFetch"]),
        check=check_either,
    )
    asked = "Is this the address of a page?"
    is_url = is_like_url(pattern) and (PASTED.fullmatch(pattern) or form.dialogue.ask_yes(asked))
    scheme = "" if "://" in pattern else "https://"
    form.pasted = scheme + pattern if is_url else ""
    if not form.pasted:
        if not check(pattern):
            return pattern
        return form.dialogue.ask_text("Which regular expression?", pattern, check=check)
    return form.dialogue.ask_text(
        "The pattern for such URLs; you can enter another:",
        propose_pattern(pattern),
        check=lambda text: check(text) or find_mismatch(text, form.pasted),
    )


def find_mismatch(pattern: str, url: str) -> str:
    fault = f"it does not match {shorten(url)}, which you pasted: write one that does"
    return "" if re.search(pattern, url, re.IGNORECASE) else fault


def find_flaw(form: Form, tool: str, pattern: str) -> str:
    if fault := find_fault(pattern):
        message, place = fault
        return message if place is None else f"at character {place + 1}: {message}"
    if problem := form.check_field("routes", "pattern", pattern):
        return problem
    flaw = check_pattern(pattern, tool)
    return str(flaw) if flaw else ""


def describe_groups(pattern: str) -> str:
    groups = [f"{{{name}}}" for name in list_groups(pattern)]
    verb = "is" if len(groups) == 1 else "are"
    return f" {', '.join(groups)} of the pattern {verb} filled in." if groups else ""


def try_route(form: Form, others: Mapping[str, Mapping[str, Any]], record: dict[str, Any]) -> None:
    name, route = split_name(record)
    tool = record["tool"]
    form.warn(*list_doubts({name: route}))
    hook = form.build("tool_routing", {"routes": {**others, name: route}})
    if not tool.replace("-", "_").isidentifier():  # a pattern of several tools
        return
    field = record.get("field") or TEXTS.get(tool, "url")
    text = form.dialogue.ask_text(
        f"Try it: which {field} should match?",
        example=(tool == "WebFetch" and form.pasted) or CALLS.get(tool, ""),
        may_be_empty=True,
    )
    if not text:
        return
    call = Call(tool, {field: text})
    reason = explain_call(hook, call, name)
    is_shown = form.show_message(hook, call, missing=reason.line)
    if is_shown and reason.decider != name:
        decider = f"routes.{reason.decider}"
        form.warn(f"that is what {decider} says, which is tried before routes.{name}")
        return
    keeps = is_shown and record["action"] == "block"
    if keeps and form.dialogue.ask_yes("Keep it as a test of the route?"):
        event = {"tool_name": tool, "tool_input": call.input}
        record["tests"] = [{"desc": "as tried", "input": event, "expect": "block"}]


def preview_route(form: Form, routes: Mapping[str, Mapping[str, Any]]) -> None:
    """Show the agent's message for the first call that the tests of the first route block."""
    if form.dialogue.is_replaying or not routes:
        return
    name = next(iter(routes))
    form.warn(*list_warnings(routes, [name]))
    hook = form.build("tool_routing", {"routes": routes})
    for test in routes[name].get("tests", ()):
        if test["expect"] == "block":
            call = Call(test["input"]["tool_name"], test["input"]["tool_input"])
            form.show_message(hook, call, missing=explain_call(hook, call, name).line)
            break
