"""An invalid or endless pattern is reported with its route, position and reason."""

import ast
import json
import os
import re
import signal
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from hookwright.patterns.check import (
    LIMIT,
    MAX_SHOWN,
    WIDTH,
    PatternFault,
    check_pattern,
    check_routes,
    cut_around,
    find_fault,
    shorten_repetitions,
)
from hookwright_console.text import is_visible, make_printable

from ...support.command_line import build_environment
from ...support.hypothesis_profiles import examples
from ...support.interpreters import find_interpreters
from ...support.lesson_server_process import wait_for
from ...support.project import ROOT
from ...support.random_patterns import draw_pairs

EXAMPLES = [
    *sorted(ROOT.glob("examples/*.yml")),
    *sorted(ROOT.glob("examples/routes/*.yml")),
    ROOT / "examples" / "tool-routes.json",
]
ENDLESS = [
    "(a+)+$",
    "(.*a){20}",
    r"\s*\s*$",
    r"https?://(?:[\w-]+\.?)+/x$",
    "foo.*foo.*foo.*foo.*bar",
]
# Patterns, errors and positions; the last patterns compile only in newer Pythons.
WRONG = [
    ("a(b", "missing ), unterminated subpattern", 1),
    ("ab)", "unbalanced parenthesis", 2),
    ("a[b", "unterminated character set", 1),
    ("*a", "nothing to repeat", 0),
    ("a**", "multiple repeat", 2),
    ("a{2,1}", "min repeat greater than max repeat", 2),
    ("[z-a]", "bad character range z-a", 1),
    ("a\\", "bad escape (end of pattern)", 1),
    (r"a\q", r"bad escape \q", 1),
    ("(?<name>a)", "unknown extension ?<n", 1),
    ("(?P<a>x)(?P<a>y)", "redefinition of group name 'a'", 12),
    ("(?P=b)", "unknown group name 'b'", 4),
    (r"a\3", "invalid group reference 3", 2),
    ("(?<=a*)b", "look-behind requires fixed-width pattern", None),
    ("a{99999999999}", "the repetition number is too large", None),
    ("[[a]b", "Possible nested set", 1),
    ("[a--b]", "Possible set difference", 2),
    (r"a\z", r"\z needs Python 3.14", 1),
    ("a(?>b)", "the atomic group (?> needs Python 3.11", 1),
    ("ab++", "a possessive repeat needs Python 3.11", 3),
    ("a{2}+", "a possessive repeat needs Python 3.11", 4),
    ("(?x)a#(?>\nb?+", "a possessive repeat needs Python 3.11", 12),
]
RIGHT = [r"a\++", "[a++]+", "[(?>]+", "a+?", "(?x) a # b++\n c", r"#(?#\)++)", "{+", r"\N{BULLET}+"]
PARTS = st.tuples(st.text(max_size=5), st.integers(0, 40)).map(lambda part: part[0] * part[1])


def read_routes(path: Path) -> dict[str, dict[str, Any]]:
    routes: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text("utf-8")).get("routes", {})
    return routes


def test_wrong_pattern_is_reported() -> None:
    for pattern, what, position in WRONG:
        flaw = check_pattern(pattern)
        assert flaw
        assert (flaw.field, flaw.pattern) == ("pattern", pattern)
        assert (flaw.position, flaw.input) == (position, "")
        assert re.fullmatch(rf"{re.escape(what)}[^:]*(\(\?>)?: .+", flaw.message)
        assert str(flaw).startswith("pattern is ")
        assert str(flaw).isprintable()


@pytest.mark.parametrize("flags", ["a(?i)b", "a\n(?s)b"])
def test_late_flags_are_an_error(flags: str) -> None:
    flaw = check_pattern(flags)
    assert flaw
    assert flaw.position == flags.index("(")
    assert flaw.message.endswith("as in (?i:part)")


@pytest.mark.parametrize("pattern", RIGHT)
def test_correct_pattern_passes(pattern: str) -> None:
    assert check_pattern(pattern) is None


@pytest.mark.long
def test_accepted_patterns_compile_everywhere() -> None:
    program = (
        "import json, re, sys, warnings\n"
        "def compiles(pattern):\n"
        "    re.purge()\n"
        "    try: re.compile(pattern)\n"
        "    except Exception: return False\n"
        "    return True\n"
        "warnings.simplefilter('error')\n"
        "print(json.dumps([compiles(pattern) for pattern in json.load(sys.stdin)]))"
    )
    patterns = [
        *(pattern for pattern, _ in draw_pairs(examples(150))),
        *RIGHT,
        *(row[0] for row in WRONG),
    ]
    takes: list[list[bool]] = []
    for python in {sys.executable, *find_interpreters()[:1]}:
        completed = subprocess.run(
            [python, "-c", program],
            input=json.dumps(patterns),
            capture_output=True,
            check=True,
            text=True,
        )
        takes.append(json.loads(completed.stdout))
    for pattern, *taken in zip(patterns, *takes, strict=True):
        fault = find_fault(pattern)
        assert fault or all(taken), pattern
        assert not fault or not all(taken) or "needs Python" in fault[0], (pattern, fault)


def test_no_warning_is_printed() -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert check_pattern("[[a]b")
        assert check_pattern("[[a]b")
    assert warned == []


@pytest.mark.usefixtures("impatient")
def test_tool_pattern_is_checked() -> None:
    routes = {
        "one": {"tool": "mcp__(a", "pattern": "a"},
        "two": {"tool": "(a+)+", "pattern": "a"},
        "three": {"tool": "mcp__.*fetch.*|Bash", "pattern": "a"},
    }
    flaws = check_routes(routes)
    assert [(flaw.route, flaw.field) for flaw in flaws] == [("one", "tool"), ("two", "tool")]
    assert flaws[0].position == 5
    assert flaws[1].input


@pytest.mark.usefixtures("impatient")
def test_only_bash_is_case_sensitive() -> None:
    pattern = "^(?:Ab?|ab?)+$"
    assert check_pattern(pattern, "WebFetch")
    assert check_pattern(pattern, "Bash") is None


@pytest.mark.usefixtures("impatient")
def test_all_flaws_are_reported_in_order() -> None:
    patterns = {"a": "(a+)+$", "b": "fine", "c": "(", "d": "fine+"}
    flaws = check_routes({name: {"pattern": each} for name, each in patterns.items()})
    assert [flaw.route for flaw in flaws] == ["a", "c"]


@pytest.mark.long
@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("pattern", ENDLESS)
def test_endless_pattern_is_demonstrated_by_an_input(pattern: str) -> None:
    flaw = check_pattern(pattern)
    assert flaw
    assert flaw.position is None
    assert is_endless(pattern, flaw.input, LIMIT / 4)
    assert "\n  e.g. on '" in flaw.show()
    assert len(str(flaw)) < 300


@pytest.mark.long
@pytest.mark.parametrize("pattern", ENDLESS)
def test_endless_pattern_exceeds_the_time_limit(pattern: str) -> None:
    flaw = check_pattern(pattern)
    assert flaw
    assert is_endless(pattern, flaw.input, 1.5 * LIMIT)


def is_endless(pattern: str, text: str, seconds: float) -> bool:
    program = "import re, sys; re.search(*sys.argv[1:], re.IGNORECASE)"
    command = [sys.executable, "-I", "-S", "-W", "ignore", "-c", program, pattern, text]
    try:
        subprocess.run(command, check=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def test_examples_contain_no_endless_pattern() -> None:
    routes = {
        f"{path.name} {name}": route
        for path in EXAMPLES
        for name, route in read_routes(path).items()
    }
    assert len(routes) > 30
    assert check_routes(routes) == []


def test_known_good_patterns_pass() -> None:
    routes = {pattern: {"pattern": pattern} for pattern, _ in draw_pairs(examples(100))}
    flaws = [flaw for flaw in check_routes(routes) if flaw.input]
    assert all(is_endless(flaw.pattern, flaw.input, 0.75 * LIMIT) for flaw in flaws)


def test_caret_marks_the_position() -> None:
    (flaw,) = check_routes({"github-pr\x1b[2J": {"pattern": "漢字e\u0301\x1b[x]•(é"}})
    assert flaw.show().splitlines() == [
        rf"routes.github-pr\x1b[2J: pattern: {flaw.message}",
        "  漢字e\u0301\\x1b[x]•(é",
        "               ^",
    ]


def test_endless_pattern_is_shown() -> None:
    flaw = PatternFault("r", "pattern", "(a+)+$", "goes on: fix it", None, "a" * 50 + "!")
    assert flaw.show().splitlines() == [
        "routes.r: pattern: goes on: fix it",
        "  (a+)+$",
        "  e.g. on 'a' * 50 + '!'",
    ]
    assert str(flaw) == "routes.r: pattern is \"(a+)+$\": goes on: fix it, e.g. on 'a' * 50 + '!'"


@given(st.text(max_size=300), st.integers(0, 300), st.integers(10, WIDTH))
def test_long_pattern_is_truncated_to_the_width(pattern: str, place: int, width: int) -> None:
    place = min(place, len(pattern))
    shown, before = cut_around(pattern, place, width)
    assert cell_len(shown) <= width
    assert shown.isprintable()
    assert before < width


@given(st.text(alphabet="ab", min_size=1, max_size=200), st.integers(0, 200))
def test_error_position_is_visible_in_the_excerpt(letters: str, place: int) -> None:
    place %= len(letters)
    pattern = letters[:place] + "(" + letters[place:]
    shown, before = cut_around(pattern, place, WIDTH)
    assert shown[before] == "("
    assert ("…" in shown) == (len(pattern) > WIDTH - 3)


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is another thing there")
def test_ctrl_c_interrupts_the_search() -> None:
    program = (
        "from hookwright.patterns.check import check_routes\n"
        "routes = {str(n): {'pattern': '(a+)+$'} for n in range(60)}\n"
        "try: print('begun', flush=True); check_routes(routes)\n"
        "except KeyboardInterrupt: print('ended', flush=True)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env=build_environment(),
        text=True,
    ) as child:
        assert child.stdout
        assert child.stdout.readline() == "begun\n"
        os.killpg(child.pid, signal.SIGINT)
        output, errors = child.communicate(timeout=20)
    assert (output, errors) == ("ended\n", "")
    wait_for(lambda: not has_processes(child.pid))


def has_processes(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.long
@pytest.mark.usefixtures("impatient")
def test_pattern_that_is_slow_to_check_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hookwright.patterns.redos.PATIENCE", 1.0)
    routes = {"long": {"pattern": "x" * 200_000}, "endless": {"pattern": "(a+)+$"}}
    long, endless = check_routes(routes)
    assert (long.route, long.input) == ("long", "")
    assert "takes too long to check: split it into several routes" in str(long)
    assert (endless.route, endless.input != "") == ("endless", True)


def evaluate(expression: str) -> str:
    def value(node: ast.expr) -> str:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return value(node.left) + value(node.right)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return value(node.left) * int(ast.literal_eval(node.right))
        return str(ast.literal_eval(node))

    return value(ast.parse(expression, mode="eval").body)


@given(st.text())
def test_escaped_text_is_printable(text: str) -> None:
    assert make_printable(text).isprintable()
    assert not is_visible(text) or make_printable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "''"),
        ("abc", "'abc'"),
        ("1000", "'1000'"),
        ("a" * 50 + "!!", "'a' * 50 + '!!'"),
        ("aaaa!", "'aaaa!'"),
        ("https://" + "a-" * 20, "'https://' + 'a-' * 20"),
        ("\x1b[2J" * 9, r"'\x1b[2J' * 9"),
        ("'" * 12 + '"' * 12, "\"'\" * 12 + '\"' * 12"),
    ],
)
def test_repetition_is_abbreviated(text: str, shown: str) -> None:
    assert shorten_repetitions(text) == shown


@given(st.lists(PARTS, max_size=5).map("".join))
def test_shown_text_equals_the_input(text: str) -> None:
    shown = shorten_repetitions(text)
    assert shown.isprintable()
    assert "..." in shown or evaluate(shown) == text


def test_long_text_is_truncated() -> None:
    shown = shorten_repetitions("".join(map(chr, range(0x4E00, 0x5000))))
    assert len(shown) < MAX_SHOWN + 10
    assert "..." in shown
