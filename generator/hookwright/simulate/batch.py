"""Read calls, run a project's hooks on many of them in one process, and record the matches."""

import json
import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import IO, Any, cast

from hookwright.clients.dialects import CLAUDE, read_dialects
from hookwright.simulate.run import Handler, copy_script, find_interpreter
from hookwright_console.errors import MisusedError, RefusedError
from hookwright_console.terminal import count
from hookwright_console.text import name_some

WORKER = Path(__file__).with_name("worker.py")
BATCH = 500  # calls per batch
PATIENCE = 60.0  # seconds per batch
CERTAIN = 900  # points: a record's own words outweigh all others
VETO = 1_000_000  # minimum points of a word in `unless`
PIECE = 3  # maximum points of a word piece
MAX_WORDS = 5  # words of each kind in a message
TEXTS = {"WebSearch": "query", "WebFetch": "url", "Bash": "command"}  # input field to show
# A host and a path, such as github.com/octo/hello; node.js or several words are a search.
BARE_URL = re.compile(r"(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}(?::[0-9]+)?/\S*", re.IGNORECASE)
MAX_LINE = 1_000_000  # characters per line
EXAMPLE = '{"tool_name": "Bash", "tool_input": {"command": "ls"}}'


@dataclass(frozen=True)
class Call:
    """An agent's tool call: tool name and input."""

    tool: str
    input: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The call's query, URL or command, or else its whole input."""
        value = self.input.get(TEXTS.get(self.tool, ""))
        return value if isinstance(value, str) else json.dumps(self.input, ensure_ascii=False)


@dataclass(frozen=True)
class Evidence:
    """A search's evidence about an ambiguous keyword."""

    keyword: str  # as counted by the hook
    points: tuple[tuple[str, int], ...]  # positive for the technology

    @property
    def sum(self) -> int:
        """The total points; positive if the technology is meant."""
        return sum(points for _, points in self.points)

    @property
    def lowest(self) -> int:
        """The score of the strongest word that counts against the technology."""
        return min(points for _, points in self.points)

    @property
    def field(self) -> str:
        """The record's field that decides, `unless` or `with`; "" if the words decide."""
        if self.lowest <= -VETO:
            return "unless"
        return "with" if any(abs(points) >= CERTAIN for _, points in self.points) else ""

    @property
    def words(self) -> dict[str, int]:
        """The points of each word except the keyword."""
        return {word: points for word, points in self.points if word != self.keyword}

    def describe(self) -> str:
        """Return the words for and against, strongest first, and their total."""
        points = sorted(self.points, key=lambda point: -abs(point[1]))
        sides = {
            "for": [self.format_word(*word) for word in points if word[1] > 0],
            "against": [self.format_word(*word) for word in points if word[1] < 0],
        }
        parts = [f"{side} {name_some(words, MAX_WORDS)}" for side, words in sides.items() if words]
        line = "above 0" if self.sum > 0 else "not above 0"
        return f"{', '.join(parts) or 'no word for or against'} (sum {self.sum}, {line})"

    def format_word(self, word: str, points: int) -> str:
        begins = " in front" if word.startswith("^ ") else ""
        place = " by itself" if word == self.keyword else begins
        return f"{word.removeprefix('^ ')!r}{place} {points:+}"

    def export(self) -> dict[str, Any]:
        return {"points": dict(self.points), "sum": self.sum}


@dataclass(frozen=True)
class KeywordMatch:
    """A database named by a search."""

    number: int  # the database's number
    keyword: str  # the keyword, or the domain that restricts the search
    span: tuple[int, int] | None  # position in the query; None for a domain
    evidence: Evidence | None = None  # None if the keyword always counts


@dataclass(frozen=True)
class Veto:
    """A database whose keyword is in the search, but with another meaning."""

    number: int  # the database's number
    keyword: str
    # The field that vetoes: unless, with or disabled; "other" for other words of the search, or
    # "uncovered" for the database's index.
    field: str
    # The word in `unless`, the keyword that lacks a word in `with`, the time until which the record
    # is disabled, or the subject that the index does not cover.
    words: tuple[str, ...]
    evidence: Evidence | None = None  # None if a field vetoes


@dataclass(frozen=True)
class RouteTrial:
    """A route that was tried: name, action, outcome, and the deciding text."""

    route: str
    action: str
    outcome: str
    text: str


@dataclass(frozen=True)
class Outcome:
    """A hook's decision about a call."""

    hook: str
    decision: tuple[str, str] | None  # the reason or "", and the context
    matched: tuple[KeywordMatch, ...]  # databases that the call is redirected to
    vetoed: tuple[Veto, ...]  # ruled out although the call contains one of their keywords
    tried: tuple[RouteTrial, ...]  # in order
    error: str  # exception that let the call through, or ""

    @property
    def does(self) -> str:
        """The effect on the call: deny, warn or allow."""
        reason, context = self.decision or ("", "")
        return "deny" if reason else "warn" if context else "allow"


def decide(
    handlers: Sequence[Handler], calls: Iterable[Call], *, explains: bool = False
) -> Iterator[tuple[Call, list[Outcome]]]:
    """Yield each call with each hook's outcome; the client's hooks remember none of the calls.

    With `explains`, the hooks run in debug mode, in which they also try routes that cannot match.
    """
    scripts = [handler.script for handler in handlers if handler.script]
    client = handlers[0].client if handlers else CLAUDE
    folder = read_dialects()[client].folder
    with (
        tempfile.TemporaryDirectory(prefix="hookwright-") as config,
        subprocess.Popen(  # noqa: S603 - the project's own hooks
            [find_interpreter(), "-I", "-S", WORKER, *(copy_script(s, config) for s in scripts)],
            cwd=Path.home(),  # like run_hook
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={
                **os.environ,
                folder: config,
                "HOOKWRIGHT_DEBUG": str(int(explains)),
                "TOOL_ROUTING_DEBUG": "0",
            },
        ) as process,
    ):
        try:
            rest = iter(calls)
            while batch := list(islice(rest, BATCH)):
                asked = [
                    [i for i, handler in enumerate(handlers) if handler.covers(c.tool)]
                    for c in batch
                ]
                events = [write_event(call, client) for call in batch]
                replies = exchange(process, list(zip(events, asked, strict=True)))
                for call, numbers, answers in zip(batch, asked, replies, strict=True):
                    outcomes = [
                        read_outcome(handlers[number], call, answer)
                        for number, answer in zip(numbers, answers, strict=True)
                    ]
                    yield call, outcomes
        finally:
            process.kill()
            with suppress(BrokenPipeError):  # the worker may already have ended
                cast("IO[bytes]", process.stdin).close()


def exchange(process: "subprocess.Popen[bytes]", request: list[Any]) -> list[Any]:
    """Send the worker a one-line request, and return its one-line answer."""
    slow = threading.Timer(PATIENCE, process.kill)
    slow.start()
    try:
        if process.stdin and process.stdout:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            if answer["error"]:
                raise RefusedError(answer["error"])
            return list(answer["answers"])
    except (OSError, ValueError):
        pass
    finally:
        slow.cancel()
    raise RefusedError(
        f"the hooks crash, or take more than {PATIENCE:g} seconds, on "
        f"{count(len(request), 'call')}: try fewer, or look for a pattern that backtracks"
    )


def read_outcome(handler: Handler, call: Call, answer: Mapping[str, Any]) -> Outcome:
    """Return a hook's decision about a call, from the trace of its `decide`."""
    matched: list[KeywordMatch] = []
    vetoed: list[Veto] = []
    tried: list[RouteTrial] = []
    meant: dict[tuple[int, str], Evidence] = {}
    try:
        for record, outcome, text, detail in answer["trace"]:
            if outcome == "named":
                evidence = meant.get((record, text.casefold()))
                span = find_span(text, call.text, detail)
                matched.append(KeywordMatch(record, text, span, evidence))
            elif outcome == "weighed":
                weighed = read_evidence(text, detail, call.text)
                if weighed.sum <= 0:
                    vetoed.append(read_veto(record, weighed))
                elif not weighed.field:
                    meant[record, text] = weighed
            elif isinstance(record, int) and outcome == "disabled":
                vetoed.append(Veto(record, text, outcome, tuple(detail)))
            elif outcome == "uncovered":
                vetoed.append(Veto(record, text, outcome, (detail,)))
            else:
                tried.append(RouteTrial(record, detail, outcome, text))
        reason, context = answer["decision"] or ("", "")
    except (ValueError, TypeError, LookupError, AttributeError):
        raise RefusedError(
            f"{handler.script} is from another version: run hookwright update"
        ) from None
    sent = {match.number for match in matched}  # a vetoed database may still match by domain
    return Outcome(
        handler.name,
        (reason, context) if answer["decision"] else None,
        tuple(matched),
        tuple(veto for veto in vetoed if veto.number not in sent),
        tuple(tried),
        answer["error"],
    )


def read_veto(number: int, evidence: Evidence) -> Veto:
    if not evidence.field:
        return Veto(number, evidence.keyword, "other", (), evidence)
    words = [word for word, points in evidence.points if points == evidence.lowest]
    return Veto(number, evidence.keyword, evidence.field, tuple(words))


def find_span(keyword: str, query: str, end: int) -> tuple[int, int] | None:
    if not end:
        return None
    # Case folding can turn one character into several.
    origins = [place for place, char in enumerate(query) for _ in char.casefold()]
    return origins[end - len(keyword.casefold())], origins[end - 1] + 1


def read_evidence(keyword: str, points: Mapping[str, int], query: str) -> Evidence:
    total = {keyword: 0}
    for text, number in points.items():
        word = text if text == keyword or abs(number) > PIECE else find_word(text, query.casefold())
        total[word] = total.get(word, 0) + number
    counted = ((word, number) for word, number in total.items() if number or word == keyword)
    return Evidence(keyword, tuple(counted))


def find_word(piece: str, query: str) -> str:
    found = re.search(rf"\w*{re.escape(piece)}\w*", f" {query}")
    return found[0].rpartition(" ")[2] if found else piece


def search_or_fetch(text: str) -> Call:
    """Return the call for a text: a fetch for a URL, with or without https://, or a search."""
    scheme = "https://" if BARE_URL.fullmatch(text) else ""
    if scheme or text.casefold().startswith(("http://", "https://")):
        return Call("WebFetch", {"url": scheme + text, "prompt": "Read the page"})
    return Call("WebSearch", {"query": text})


def parse_json(text: str) -> Any:
    """Return a JSON text's value, or None if it is invalid or nested too deeply for an event."""
    try:
        value = json.loads(text)
        json.dumps([[value]])
    except (ValueError, RecursionError):
        return None
    return value


def read_input(tool: str, text: str) -> dict[str, Any]:
    value = parse_json(text)
    if not isinstance(value, dict):
        raise MisusedError('--input: expected a JSON object such as {"query": "gitlab ci"}')
    if (field := TEXTS.get(tool)) and not isinstance(value.get(field), str):
        raise MisusedError(f'--input: the input of {tool} needs a text "{field}"')
    return value


def read_corpus(path: Path) -> Iterator[Call]:
    """Yield the calls in a file; each line is a query, a URL, a call as JSON, or blank."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE + 1), ""), start=1):
                if line.strip():
                    yield read_line(line.strip(), f"{path}:{number}")
    except OSError as error:
        raise RefusedError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RefusedError(f"{path} is not text: save it as UTF-8") from None


def read_line(line: str, place: str) -> Call:
    """Parse a line of a file as a call; a line that starts like JSON must be a valid call."""
    if len(line) > MAX_LINE:
        raise RefusedError(f"{place}: longer than {MAX_LINE:,} characters: remove it")
    if not line.startswith("{"):
        return search_or_fetch(line)
    row = parse_json(line) or {}
    tool, tool_input = row.get("tool_name"), row.get("tool_input")
    if not isinstance(tool, str) or not isinstance(tool_input, dict):
        raise RefusedError(f"{place}: not a call: write one per line, such as {EXAMPLE}")
    return Call(tool, tool_input)


def write_event(call: Call, client: str = CLAUDE, *, after: bool = False) -> str:
    """Return a client's event before or after a call, as JSON."""
    dialect, more = read_dialects()[client], {}
    tool, tool_input = dialect.name_tool(call.tool), dialect.fill_input(call.tool, call.input)
    if client == CLAUDE:
        tool, more = call.tool, {"permission_mode": "default", "tool_use_id": "toolu_try"}
    event = dialect.after if after else dialect.call
    return dump_event(event, tool_name=tool, tool_input=tool_input, **more)


def write_prompt(prompt: str, client: str = CLAUDE) -> str:
    mode = {"permission_mode": "default"} if client == CLAUDE else {}
    return dump_event(read_dialects()[client].prompt, **mode, prompt=prompt)


def dump_event(name: str, **fields: object) -> str:
    event = {**name_session(), "hook_event_name": name, **fields}
    text = json.dumps(event, ensure_ascii=False)
    # Like the client, escape only lone surrogates, which UTF-8 cannot encode.
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(event)
    return text


@cache
def name_session() -> dict[str, str]:
    return {"session_id": f"hookwright-try-{os.urandom(16).hex()}", "cwd": str(Path.cwd())}
