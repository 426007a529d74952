"""Have a project's hooks decide many calls in one process, and say what matched in each."""

import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast

from hookwright.simulate.calls import Call, write_event
from hookwright.simulate.run import Handler, find_interpreter
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import count

WORKER = Path(__file__).with_name("worker.py")
BATCH = 500  # calls that are decided at once
PATIENCE = 60.0  # seconds for them


@dataclass(frozen=True)
class Match:
    """A database that a search names: its number, the keyword, and from where to where it is.

    A database that the search is restricted to has its domain for a keyword, and no place.
    """

    number: int
    keyword: str
    span: tuple[int, int] | None


@dataclass(frozen=True)
class Veto:
    """A database that a keyword names and the search does not mean.

    Args:
        number: The database's.
        keyword: Its keyword.
        field: What vetoes it: unless or with.
        words: The word of `unless` that the search has, or those of `with`, of which it has none.

    """

    number: int
    keyword: str
    field: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Tried:
    """A route that was tried: what it does, what became of it, and the text that decided that."""

    route: str
    action: str
    outcome: str
    text: str


@dataclass(frozen=True)
class Outcome:
    """What a hook made of a call.

    Args:
        hook: The hook's name.
        decision: The reason to deny the call, or "", and the context; None if there is neither.
        matched: The databases that the call is sent to.
        vetoed: Those that it is not sent to, though it has one of their keywords.
        tried: The routes in the order they were tried.
        error: What the hook raised, so that the call goes through.

    """

    hook: str
    decision: tuple[str, str] | None
    matched: tuple[Match, ...]
    vetoed: tuple[Veto, ...]
    tried: tuple[Tried, ...]
    error: str

    @property
    def does(self) -> str:
        """What becomes of the call: deny, warn or allow."""
        reason, context = self.decision or ("", "")
        return "deny" if reason else "warn" if context else "allow"


def decide(
    handlers: Sequence[Handler], calls: Iterable[Call], *, explains: bool = False
) -> Iterator[tuple[Call, list[Outcome]]]:
    """Yield each call with what the hooks make of it, nothing of which they remember.

    Args:
        handlers: The hooks.
        calls: The calls; they are read as they are decided.
        explains: Whether to try also what cannot match, which hooks do in debug mode.

    Raises:
        RefusedError: A hook cannot be run, takes for ever, or is of another version.

    """
    scripts = [str(handler.script) for handler in handlers]
    with (
        tempfile.TemporaryDirectory(prefix="hookwright-") as config,
        subprocess.Popen(  # noqa: S603 - the project's own hooks
            [find_interpreter(), "-I", "-S", str(WORKER), *scripts],
            cwd=Path.home(),  # as where a hook is run
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "CLAUDE_CONFIG_DIR": config, **choose_mode(debug=explains)},
        ) as process,
    ):
        try:
            rest = iter(calls)
            while batch := list(islice(rest, BATCH)):
                asked = [[i for i, one in enumerate(handlers) if one.covers(c.tool)] for c in batch]
                events = [write_event(call) for call in batch]
                made = exchange(process, list(zip(events, asked, strict=True)))
                for call, numbers, answers in zip(batch, asked, made, strict=True):
                    outcomes = [
                        read_outcome(handlers[number], call, one)
                        for number, one in zip(numbers, answers, strict=True)
                    ]
                    yield call, outcomes
        finally:
            process.kill()
            with suppress(BrokenPipeError):  # where it ended before it was asked
                cast("IO[bytes]", process.stdin).close()


def exchange(process: "subprocess.Popen[bytes]", request: list[Any]) -> list[Any]:
    """Return what the decider answers to a request, one line to one line.

    Raises:
        RefusedError: It ends instead, or a hook cannot be run.

    """
    slow = threading.Timer(PATIENCE, process.kill)
    slow.start()
    try:
        if process.stdin and process.stdout:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            if answer["error"]:
                raise RefusedError(answer["error"])
            return list(answer["made"])
    except (OSError, ValueError):
        pass
    finally:
        slow.cancel()
    raise RefusedError(
        f"the hooks end, or take more than {PATIENCE:g} seconds, on {count(len(request), 'call')}: "
        "try fewer, and look for a pattern that backtracks"
    )


def choose_mode(*, debug: bool) -> dict[str, str]:
    """Return the variables that have hooks run in debug mode, or not, whatever the user has set."""
    return {"HOOKWRIGHT_DEBUG": str(int(debug)), "TOOL_ROUTING_DEBUG": "0"}


def read_outcome(handler: Handler, call: Call, answer: Mapping[str, Any]) -> Outcome:
    """Return what a hook made of a call, by the trace of its `decide`.

    Raises:
        RefusedError: The trace is not as this version's hooks have it.

    """
    matched: list[Match] = []
    vetoed: list[Veto] = []
    tried: list[Tried] = []
    try:
        for record, outcome, text, detail in answer["trace"]:
            if outcome == "named":
                matched.append(Match(record, text, find_span(text, call.text, detail)))
            elif outcome in {"unless", "with"}:
                vetoed.append(Veto(record, text, outcome, tuple(detail)))
            else:
                tried.append(Tried(record, detail, outcome, text))
        reason, context = answer["decision"] or ("", "")
    except (ValueError, TypeError, LookupError):
        raise RefusedError(
            f"{handler.script} is from another version: run hookwright update"
        ) from None
    sent = {match.number for match in matched}  # some by their domain all the same
    return Outcome(
        handler.name,
        (reason, context) if answer["decision"] else None,
        tuple(matched),
        tuple(veto for veto in vetoed if veto.number not in sent),
        tuple(tried),
        answer["error"],
    )


def find_span(keyword: str, query: str, end: int) -> tuple[int, int] | None:
    """Return from where to where a keyword is in a query, by its end in the case-folded query."""
    if not end:
        return None
    # Case-folded, a character may be several.
    origins = [place for place, one in enumerate(query) for _ in one.casefold()]
    return origins[end - len(keyword.casefold())], origins[end - 1] + 1
