"""Requests that try to overload a server, identical in each run."""

import json
import random
from collections.abc import Iterator
from itertools import cycle, islice

from lesson_search.prompts.filter import EDITOR_TAGS, MACHINE_TAGS

Request = tuple[str, str, bytes]  # method, path and body

MAX_BODY = 1_000_000  # maximum body size in bytes
QUERY, HOOK, INGEST = "/api/query", "/hooks/user-prompt-submit", "/api/ingest"
BULK, LESSON, RECATEGORIZE = "/api/ingest/bulk", "/api/lessons/nobody", "/api/recategorize"

# Texts to repeat: some match the server's patterns, others are unexpected.
PUMPS = (
    *(" ", "\t", "\n", "\r\n", "a", "a ", "# ", "#", "/", "/a", "!", "```\n", "~~~", "---\n"),
    *("- [", "[", "]", "{", "}", "(", '"', "'", "\\", "\\u0000", "<", "</", "<!--", "&lt;", "..."),
    *(". ", "e5 ", "sk-", "ghp_", "eyJ", "eyJa.", "://", "a://", "a:b@", "password=", "-u a:"),
    *("Bearer ", "-----BEGIN PRIVATE KEY-----", "\u200b", "\u200d", "\u202e", "\u0301", "\ufdfa"),
    *("\u3002", "\u0130", "ß", "🦊", "👨\u200d👩\u200d👧", "\ud800", "\udfff", "\0", "1", "9" * 50),
    *("é", "_", "a_", "a.", "x" * 99, f"<{MACHINE_TAGS[0]}>"),
    *(f"<{tag}>" for tag in EDITOR_TAGS),
    *(f"<{tag}>a</{tag}>" for tag in EDITOR_TAGS),
)


def list_requests(number: int) -> Iterator[Request]:
    chance = random.Random(7)  # noqa: S311 - the same each time
    known = list(islice(list_known(), number))
    yield from known
    for turn in range(number - len(known)):
        yield build_odd(chance) if turn % 3 == 2 else build_long(chance)


def list_known() -> Iterator[Request]:
    for prompt in ("#" + " " * 100_000 + "\nx", "# " + "a " * 200_000, "\u200d" * 150_000):
        for path in (QUERY, HOOK):
            yield "POST", path, encode({"prompt": prompt})
    for (field, path), value in zip(
        cycle([("categories", INGEST), ("lessons", BULK), ("prompt", HOOK), ("unknown", QUERY)]),
        list_values(),
        strict=False,
    ):
        yield "POST", path, f'{{"{field}": {value}}}'.encode()
    for path in (QUERY, RECATEGORIZE):
        yield "POST", path, encode({f"{n:x}": 0 for n in range(MAX_BODY // 12)})
    yield "POST", BULK, encode({"lessons": [{f"{n:x}": 0 for n in range(90)}] * 900})


def list_values() -> Iterator[str]:
    half = MAX_BODY // 2 - 50
    for item in ("1", '"a/b"', "{}", "[]", '{"text": 1, "a": 2}'):
        yield "[" + ", ".join([item] * (MAX_BODY // (len(item) + 2) - 20)) + "]"
    yield "[" * (2 * half)
    yield "[" * 900 + "]" * 900
    yield '{"a":' * (half // 3)
    yield "{" + ", ".join(f'"{n:x}": 0' for n in range(MAX_BODY // 12)) + "}"
    yield "1" * (2 * half)
    yield "0." + "0" * half + "1" * half
    yield "1e" + "9" * half
    yield '"\\ud800' + "a" * half + '"'
    yield '"' + "\\" * half


def build_long(chance: random.Random) -> Request:
    path = chance.choice([QUERY, QUERY, HOOK, HOOK, INGEST, BULK, LESSON])
    pump, opening = chance.choice(PUMPS), chance.choice(["", *PUMPS])
    ending = chance.choice(["", "\nx", "!", "\0", " why is the build lost", *PUMPS])
    size = len(encode(pump))
    largest = MAX_BODY if path in {QUERY, HOOK} else chance.choice([20_000, MAX_BODY])
    text = opening + pump * ((largest - 5_000) // size) + ending
    if path in {QUERY, HOOK}:
        return "POST", path, encode({"prompt": text})
    if path == BULK:
        return "POST", path, encode({"lessons": [{"text": text}]})
    return ("PUT" if path == LESSON else "POST"), path, encode({"text": text})


def build_odd(chance: random.Random) -> Request:
    path = chance.choice([QUERY, HOOK, INGEST, BULK, RECATEGORIZE])
    fields = ["prompt", "lessons", "categories", "session_id", "top_k", "text", "unknown"]
    value = chance.choice(list(list_values()))
    return "POST", path, f'{{"{chance.choice(fields)}": {value}}}'.encode()


def encode(value: object) -> bytes:
    return json.dumps(value).encode()
