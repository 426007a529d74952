"""Calls that no route can match are skipped by a scan of the event's bytes."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hooks.tool_routing import tool_routing
from hooks.tool_routing.shell import strip_texts

from ..support.project import GITHUB_API, PULL_REQUEST, URL, bash_event, call_event, fetch_event

ROUTES: list[dict[str, Any]] = [
    {"name": "pr", "tool": "WebFetch", "contains": "github.com/", **PULL_REQUEST},
    {"name": "api", "contains": "api.github.com/", **GITHUB_API},
    {"name": "join", "tool": "Bash", "contains": "k s/i", "pattern": "k s/i", "message": "joined"},
    {
        "name": "urls",
        "tool": "get",
        "contains": "k",
        "pattern": "K",
        "field": "urls",
        "message": "",
    },
]
LITERALS = {"url": "\ngithub.com/\n", "command": "\napi.github.com/\nk s/i\n", "urls": "\nk\n"}


@pytest.fixture(autouse=True)
def _tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_routing, "LITERALS", LITERALS)
    monkeypatch.setattr(tool_routing, "ROUTES", json.dumps(ROUTES))
    monkeypatch.setattr(tool_routing, "READ_COMMAND", strip_texts)


def match_any(raw: bytes) -> bool:
    try:
        return tool_routing.route_call(json.loads(raw), [], ()) is not None
    except TypeError:  # non-string commands go through
        return False


PIECES = [
    "https://github.com/a/b/pull/4",
    "g\u0131thub.com/a/b/pull/4",
    "curl https://api.github.com/u",
    "K",
    "\u212a",
    "k",
    " s/i",
    "\u017f/\u0130",
    "\\\n",
    "\\",
    "\n",
    '"',
    "'",
    "$(",
    ")",
    "<<E\n",
    "E\n",
    "é",
    "🦊",
    '"url": "x"',
    '"command"',
    ":",
]
TEXT = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
VALUE = TEXT | st.lists(TEXT, max_size=3) | st.none() | st.integers()
INPUT = st.dictionaries(st.sampled_from(["url", "command", "urls", "prompt", "x"]), VALUE)
EVENT = st.builds(
    call_event, st.sampled_from(["WebFetch", "Bash", "get"]), INPUT, cwd=st.just("/src") | TEXT
)


PLAIN: dict[str, Any] = {"ascii_only": True, "slashes": False, "separators": (",", ":")}


@example(event=fetch_event(URL), **PLAIN)
@example(event=fetch_event(f"{URL}?é"), **PLAIN)
@example(event=bash_event("curl https://api.github.com/u"), **PLAIN)
@example(event=call_event("get", {"urls": ["x", "K"]}), **PLAIN)
@given(
    event=EVENT,
    ascii_only=st.booleans(),
    slashes=st.booleans(),
    separators=st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", " :\t")]),
)
def test_prefilter_misses_no_match(
    event: dict[str, Any], separators: tuple[str, str], *, ascii_only: bool, slashes: bool
) -> None:
    raw = json.dumps(event, ensure_ascii=ascii_only, separators=separators)
    if slashes:
        raw = raw.replace("/", "\\/")
    if match_any(raw.encode()):
        assert tool_routing.may_match(raw.encode())


def test_duplicate_key_is_not_skipped() -> None:
    raw = b'{"tool_input": {"url": "https://a.b", "url": "https://github.com/a/b/pull/4"}}'
    assert tool_routing.may_match(raw)


@pytest.mark.parametrize(
    "event",
    [
        fetch_event("https://docs.python.org"),
        fetch_event("https://a.b", cwd="/src/github.com/x"),
        fetch_event('https://a.b?q="x"\\y', tool_use_id="github.com/"),
        bash_event("git status"),
        bash_event('echo "é" \\\n| cat', cwd="api.github.com/"),
        call_event("WebFetch", {"url": "https://a.b", "prompt": "Is this on github.com/ as well?"}),
        call_event("Read", {"file_path": "github.com/"}),
    ],
)
def test_unmatched_event_is_not_parsed(event: dict[str, object]) -> None:
    raw = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    assert not tool_routing.may_match(raw.encode())
