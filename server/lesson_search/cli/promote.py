"""Turn a lesson about a command or an address into a project route."""

import re
import shlex
import shutil
from itertools import dropwhile
from typing import Annotated, Any

import typer

from hookwright_console.errors import RefusedError
from hookwright_console.terminal import print_line
from hookwright_console.text import escape_hidden
from lesson_search.background.worker_process import call_view
from lesson_search.cli.options import YesOption, connect
from lesson_search.cli.records import Identity, find_record

SPAN = re.compile(
    r"`([^`\n]{3,300})`|(https?://[^\s`\"'<>()\[\]{}]{3,300})"
    # A command without backticks ends with its sentence, or before a word that goes on with it.
    r"|\b(?:run|use|call)\s+([a-z][\w+/-]*(?:(?<![.:!?])[ ]"
    r"(?!(?:and|as|because|but|for|if|in|instead|on|or|since|to|when)\b)[^\s`,;]+)+)"
)
COMMAND = re.compile(r"(?:\w+=\S*\s+)*[A-Za-z][\w.+/-]*(?:\s+\S+)+")
# Phrases before or after a call that warn against it.
BEFORE = re.compile(
    r"\b(?:not|never|don'?t|avoid|instead of|rather than|nicht|nie(?:mals)?|statt|kein\w*)"
    r"(?:\s+\w+){0,2}\W*\Z",
    re.IGNORECASE,
)
AFTER = re.compile(
    r"\A\W*(?:fail|break|hang|is (?:denied|deprecated|blocked|gone)|no longer|does not"
    r"|doesn't|cannot|schlägt|geht nicht)",
    re.IGNORECASE,
)
BREAK = r"(?<![.!?:])\n\n"  # between a lesson's title and its text
GROUP = re.compile(r"(?<!['$@{])(\{\w+\})(?!['}])")  # a placeholder, unless quoted
NEAR = 40  # characters before or after a call that may contain a warning
PLAIN = re.compile(r"[a-z][a-z0-9:_-]*")
OPTIONS = 2  # maximum number of the command's options in its pattern
MAX_BEFORE = 300  # characters of the command before an option


def promote(
    context: typer.Context,
    identity: Identity,
    *,
    block: Annotated[
        str, typer.Option(metavar="CALL", help="The command or address to block.")
    ] = "",
    pattern: Annotated[
        str, typer.Option(metavar="PATTERN", help="The pattern that the route matches.")
    ] = "",
    yes: YesOption = False,
) -> int:
    """Turn a lesson about a command or address into a route.

    The route blocks what the lesson warns against, with the lesson as its message. It is shown with
    its tests, and then added to the project here, as with hookwright add route.
    """
    with connect(context) as client:
        lesson = find_record(client, identity, "lessons")
    route = propose_route(lesson.text, block, pattern)
    shown = [(name, route[name]) for name in ("tool", "pattern", "message")]
    for what, value in [*shown, *((test["expect"], test["desc"]) for test in route["tests"])]:
        print_line(f"{what:8} {escape_hidden(value)}")
    name = re.sub(r"[^a-z0-9]+", "-", identity.lower()).strip("-")
    return int(call_view("add_route", name, route, {"yes": yes}))


def propose_route(text: str, block: str = "", pattern: str = "") -> dict[str, Any]:
    """Return a route record for a lesson; raises RefusedError.

    The route blocks `block`, or else the first call that the lesson warns against. Without a
    pattern, one is derived from the call.
    """
    named, warned = find_calls(text)
    call = block.strip() or next(iter(warned), "")
    if not call:
        raise RefusedError("the lesson does not say what to avoid: name it with --block CALL")
    is_address = "://" in call
    field, tool = ("url", "WebFetch") if is_address else ("command", "Bash")
    if pattern and (fault := call_view("check_pattern", pattern, tool)):
        raise RefusedError(str(fault))
    found = pattern or (match_address if is_address else match_command)(call)
    others = (text for text in named if text not in {call, *warned})
    other = next((text for text in others if ("://" in text) == is_address), make_other(call))
    tests = [(call, "block"), (other, "allow")]
    for example, expect in [*tests, (make_other(call), "allow")]:
        matches = bool(re.search(found, example))
        if matches != (expect == "block"):
            wrong = "matches" if matches else "does not match"
            raise RefusedError(f"{found} {wrong} '{example}': use a pattern with --pattern")
    return {
        "tool": tool,
        "pattern": found,
        "message": GROUP.sub(r"'\1'", " ".join(re.sub(BREAK, ": ", text, count=1).split())),
        "tests": [
            {
                "desc": example,
                "input": {"tool_name": tool, "tool_input": {field: example}},
                "expect": expect,
            }
            for example, expect in tests
        ],
    }


def find_calls(text: str) -> tuple[list[str], list[str]]:
    """Return the commands and addresses in a lesson, and those that it warns against."""
    named, warned = [], []
    for span in SPAN.finditer(text):
        call = (span[1] or span[2] or span[3]).strip().rstrip(".,;:!?")
        if not ("://" in call or COMMAND.fullmatch(call)):
            continue
        if span[3] and not shutil.which(call.split()[0]):  # probably not a command
            continue
        named.append(call)
        before, after = text[: span.start()][-NEAR:], text[span.end() :][:NEAR]
        if BEFORE.search(before) or AFTER.search(after):
            warned.append(call)
    return named, warned


def match_address(address: str) -> str:
    """Return a pattern for an address and its subpaths; numbers in its path match any number."""
    _, _, rest = re.split("[?#]", address)[0].rstrip("/").partition("://")
    host, slash, path = rest.partition("/")
    numbered = re.sub(r"\d+", r"\\d+", re.escape(path))
    return r"^https?://" + re.escape(host) + slash + numbered + r"(?:[/?#]|$)"


def match_command(command: str) -> str:
    """Return a pattern for a program with its subcommands, or its first argument, and options."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    called = dropwhile(lambda word: "=" in word or word == "sudo", words)
    program, *rest = [*called] or words[-1:]
    kept = [program.rpartition("/")[2].strip()]
    if not kept[0]:
        raise RefusedError(f"'{command}' does not name a program: name one with --block")
    for word in rest[:2]:
        if word.startswith("-") or (len(kept) > 1 and not PLAIN.fullmatch(word)):
            break
        kept.append(word)
    options = [word.partition("=")[0] for word in rest if word.startswith("-")][:OPTIONS]
    pattern = r"(?<![\w./-])" + r"\s+".join(map(re.escape, kept)) + r"(?![\w-])"
    return pattern + "".join(
        rf"(?=[^\n;&|]{{0,{MAX_BEFORE}}}?\s{re.escape(option)}(?![\w-]))" for option in options
    )


def make_other(call: str) -> str:
    """Return a similar call that the route does not block."""
    scheme, address, rest = call.partition("://")
    program, *_ = call.split()
    return f"{scheme}://{rest.split('/')[0]}.example/" if address else f"{program} --version"
