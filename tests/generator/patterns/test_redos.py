"""A pattern with runaway backtracking is reported, and a safe pattern is not."""

import re
import subprocess
import sys
from itertools import product

import pytest

from hookwright.patterns import redos

from ...support.hypothesis_profiles import examples, mark_long

BOUND = 5.0  # seconds, as in the generated test
LITTLE = 0.1  # seconds, enough to find endless backtracking

RUNAWAYS = [
    r"(a+)+$",
    r"(a|a)*b",
    r"(a|aa)+$",
    r"^(\w+\s?)*$",
    r"(?:[^/]+/?)+\.git$",
    r"https?://(?:[\w-]+\.?)+/x$",
    r"(x+x+)+y",
    r"([a-zA-Z]+)*!",
    r"(.*a){20}",
    r"(.*,){11}P",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"github\.com/(?:[\w.-]+/?)*\?tab=",
    r"\b(?:curl|wget)\b(?:\s*\S+)*\s+-X$",
    r".*.*.*x",
    r"\s+\s+\s+$",
    r"foo.*foo.*foo.*foo.*bar",
    r"(?:ab|cd|abc|d)*x",
    r'^(?:"[^"]*"|\S+)+$',
    r"^([^,]|[^,])+$",
    r"(?=(a+)+$)b",
    r"^(?=.*[?]token=)https://(?:\w+[./]?)*$",
    r"(?=(?:ab)*c)(?:a|b|ab)*$",
    r"(?!(a+)+$)b",
    r"(?<=foo)(a+)+$",
    r"^(?=.*curl)(\w+\s?)+$",
    r"(?i)(?:A+|a)*B",
    r"(?s)(?:.|\n)*x",
    r"(?P<quote>['\"])(?:x+|\w)*(?P=quote)",
    r"(?:[^\x00-\x7f]+)+$",
    # Each part is safe alone, but the whole pattern is not.
    r"((a{1,9}){1,9}){1,9}b",
    r"(?:\w{0,9}){0,9}\.com",
    r"((a|a){5}){6}b",
    r"\b(?:x?){9}(?:x?){9}(?:x?){9}y",
    "a?" * 28 + "b",
    "(?:a|a)" * 28 + "b",
    f"(?<={'(?:a|a)' * 28}c)d",
    # Only a text of a minimum length triggers all attempts.
    "(?:a?){30}a{30}",
    "(?:a{0,1}){30}a{30}",
    r"https://x\.io/(?:a?){30}(?P<id>a{30})/raw",
    "a?" * 30 + "a" * 30,
    r"(?:\d?){30}\w{30}",
    "(?:a|b?){30}[ab]{30}",
    r"^x(?:/|(?:a?){30}a{28})?",
    r"(?:eq|fq|gq|hq|ab|c|a|bc)*d",
    r"x\.io/(?:view|blob|tree|raw|a|ab|c|bc)+/$",
    r"(?<=\d)(?:\d|\d\d){1,9}(?:\d|\d\d){1,9}(?:\d|\d\d){1,9}x",
]
HARMLESS = [
    r"""\b(?:curl|wget)\b[^|;&]*\bapi\.github\.com/(?P<path>[^\s"'?]*)""",
    r"https?://[^/]*\.atlassian\.net",
    r"^https?://(?:www\.)?github\.com/(?P<owner>[\w.-]+)/(?P<repo>[\w.-]+)/pull/(?P<number>\d+)",
    r"^https?://arxiv\.org/(?:abs|pdf)/(?P<id>\d+\.\d+)(?:v\d+)?(?:\.pdf)?$",
    r"^\s*(?:sudo\s+)?git\s+(?:-\S+\s+)*push\b",
    r"^gh\s+api\b",
    r"[0-9a-f]{40}",
]
QUADRATIC = [
    r"\s+$",
    r"(?:[a-z]+\.)+com",
    r"\b(?:curl|wget)\b(?:\s+\S+)*\s+-X$",
    r"\bcurl\b.*\bapi\.github\.com\b.*\bpulls\b",
]


@pytest.mark.parametrize(
    "pattern", [*RUNAWAYS[::5], *mark_long(each for n, each in enumerate(RUNAWAYS) if n % 5)]
)
def test_runaway_is_found_with_an_input(pattern: str) -> None:
    runaway = redos.find_runaway([("harmless", 0), (pattern, 0)], LITTLE)
    assert runaway
    assert runaway[0] == 1
    assert runaway[1] in redos.build_attacks(pattern)


def test_harmless_patterns_pass() -> None:
    patterns = [(pattern, 0) for pattern in (*HARMLESS, *QUADRATIC)]
    assert redos.find_runaway(patterns, BOUND) is None


@pytest.mark.parametrize(
    ("pattern", "flags"),
    [
        ("( a + ) + $  # spaced", re.VERBOSE),
        ("^(?:B+|b)*[^b]$", re.IGNORECASE),
        ("(.+)+x", re.DOTALL),
    ],
)
def test_pattern_flags_are_respected(pattern: str, flags: int) -> None:
    runaway = redos.find_runaway([(pattern, flags)], LITTLE)
    assert runaway
    assert runaway[1] in redos.build_attacks(pattern, flags)


def test_first_runaway_pattern_is_reported() -> None:
    patterns = [("(", 0), ("a{2,1}", 0), ("x", 0), ("(b+)+$", 0), ("(a+)+$", 0)]
    runaway = redos.find_runaway(patterns, LITTLE)
    assert runaway
    assert runaway[0] == 3
    assert runaway[1].startswith("b")


def test_uncompilable_pattern_is_skipped() -> None:
    patterns = ("(", "a{2,1}", "a{99999999999999}", "(?<=a*)b", "(?L)a", "\\")
    assert redos.find_runaway([(pattern, 0) for pattern in patterns], BOUND) is None
    for pattern in patterns:
        assert all(isinstance(text, str) for text in redos.build_attacks(pattern))


def test_hundreds_of_patterns_pass() -> None:
    patterns = [(pattern, 0) for pattern in HARMLESS * (1 + examples(300) // len(HARMLESS))]
    assert redos.find_runaway(patterns, BOUND) is None


def test_inputs_are_few_distinct_and_reproducible() -> None:
    for pattern in (*RUNAWAYS, *HARMLESS, *QUADRATIC, "(a*b*c*d*e*f*g*h*i*)*!" * 9):
        inputs = redos.build_attacks(pattern)
        assert 0 < len(inputs) <= 560, pattern
        assert len(set(inputs)) == len(inputs), pattern
        assert redos.build_attacks(pattern) == inputs, pattern


def test_safe_pattern_needs_no_input() -> None:
    assert redos.build_attacks("ab[c-e](?:f|g)") == []


def test_parser_warning_is_not_an_error() -> None:
    assert redos.build_attacks("[[a]+") == redos.build_attacks(r"[\[a]+")


@pytest.mark.parametrize(
    "pattern",
    [
        "(?i)[^a]B",
        r"\d\D\w\W\s\S.",
        r"[^\W\d_][^\s\S\d]?",
        "[\u0400-\u04ff][^\\x00-\\x7f]\U0001f600",
        "(?P<one>x|y)(?:ab|cd){2,}?(?P=one)",
        "(?i:A)(?-i:[B-D])[^-a-z0-9/]",
        "(a){12,}[\\]^-]",
    ],
)
def test_generated_example_matches(pattern: str) -> None:
    for choices in product(["", " ", "b"], [0, 1], [0, 1]):
        text = redos.build_example(redos.read_pattern(pattern), redos.Variant(*choices), {})
        assert re.fullmatch(pattern, text), choices


@pytest.mark.parametrize("pattern", ["(a+)+$", "a+"])
def test_no_process_remains(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[str]] = []

    class Noted(subprocess.Popen[str]):
        def __init__(self, *args: object, **options: object) -> None:
            super().__init__(*args, **options)  # type: ignore[call-overload]
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    redos.find_runaway([(pattern, 0)], LITTLE)
    assert len(started) == 1
    assert started[0].returncode is not None


def test_aborted_search_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "true" if sys.platform != "win32" else "where")
    with pytest.raises(RuntimeError, match=r"stopped at 'a\+'"):
        redos.find_runaway([("a+", 0)], LITTLE)
