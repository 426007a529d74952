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
    """A database that a search names: its number, the keyword, and from where to where that is."""

    number: int
    keyword: str
    span: tuple[int, int] | None = None


@dataclass(frozen=True)
class Veto:
    """A database whose keyword is in a search and does not count, with what the hook says of it."""

    number: int
    keyword: str
    why: str


@dataclass(frozen=True)
class Tried:
    """A route that was tried: what it does, what became of it, and the text that says on what."""

    route: str
    action: str
    outcome: str
    text: str


@dataclass(frozen=True)
class Outcome:
    """What a hook made of a call.

    Args:
        hook: What the hook is called.
        decision: The reason to deny the call, or "", and the context; None for not a word.
        matched: The databases that the call is sent to.
        vetoed: Those that it is not sent to though it has a keyword of theirs.
        tried: The routes in the order they were tried.
        error: What was raised, so that the call is let through.

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
        explains: Whether to try also what certainly does not match.

    Raises:
        RefusedError: A hook cannot be run, or takes for ever.

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
            env={**os.environ, "CLAUDE_CONFIG_DIR": config},
        ) as process,
    ):
        try:
            rest = iter(calls)
            while batch := list(islice(rest, BATCH)):
                asked = [[i for i, one in enumerate(handlers) if one.covers(c.tool)] for c in batch]
                request = [
                    [write_event(call), numbers, explains]
                    for call, numbers in zip(batch, asked, strict=True)
                ]
                made = exchange(process, request)
                for call, numbers, answers in zip(batch, asked, made, strict=True):
                    names = [handlers[number].name for number in numbers]
                    yield call, [read_outcome(*one) for one in zip(names, answers, strict=True)]
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
                raise RefusedError(f"{answer['error']}: take it back from git")
            return list(answer["made"])
    except (OSError, ValueError):
        pass
    finally:
        slow.cancel()
    raise RefusedError(
        f"the hooks end, or take more than {PATIENCE:g} seconds, on {count(len(request), 'call')}: "
        "try fewer, and look for a pattern that backtracks"
    )


def read_outcome(hook: str, answer: Mapping[str, Any]) -> Outcome:
    """Return what the decider says that a hook made of a call."""
    decision = answer["decision"]
    sent = {number for number, *_ in answer.get("matched", ())}  # some by their domain all the same
    return Outcome(
        hook,
        (decision[0], decision[1]) if decision else None,
        tuple(
            Match(number, word, tuple(span[0]) if span and span[0] else None)
            for number, word, *span in answer.get("matched", ())
        ),
        tuple(Veto(*veto) for veto in answer.get("vetoed", ()) if veto[0] not in sent),
        tuple(Tried(*tried) for tried in answer.get("tried", ())),
        answer.get("error", ""),
    )
