"""The literal stored for a pattern occurs in every text that the pattern matches."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from ..support.hypothesis_profiles import examples, mark_long
from ..support.interpreters import find_interpreters
from ..support.project import render
from ..support.random_patterns import draw_pairs, find_match, list_cases
from ..support.rendered_project import read_hook, read_route_tables

# Patterns, and the longest text that all their matches contain; for equal lengths, the first.
LITERALS = [
    # Plain text, anchors and escapes.
    ("abc", "abc"),
    ("ABC.def", "abc"),
    ("ab.cd", "ab"),
    ("ab.cde", "cde"),
    (r"^https://a\.b/", "https://a.b/"),
    (r"a\.b\.c", "a.b.c"),
    (r"\babc\b", "abc"),
    (r"\Aabc\Z", "abc"),
    (r"ab\d+cde", "cde"),
    (r"ab\\cde", "cde"),
    (r"\(ab\)", "(ab)"),
    (r"a\|b", "a|b"),
    (r"a\*b\?", "a*b?"),
    (r"a\{2\}b", "a{2}b"),
    ("a!#%&',/:;<=>@_`~-b", "a!#%&',/:;<=>@_`~-b"),
    ('ab"cde', "cde"),
    (r"ab\"cde", "cde"),
    ("it's", "it's"),
    (r"\x41bc.z", "z"),
    (r"\u0041bc.z", "z"),
    (r"\U00000041bc.z", "z"),
    (r"\101bc.z", "z"),
    (r"\0abc.z", "z"),
    (r"\N{BULLET}abc", "abc"),
    (r"\N{LATIN SMALL LETTER A}?abc", "abc"),
    ("größe.x", "gr"),
    ("日本abc", "abc"),
    # Optional and repeated parts.
    ("https?://x", "http"),
    ("https?://xyz", "://xyz"),
    ("ab*cde", "cde"),
    ("abc*", "ab"),
    ("ab+c", "ab"),
    ("a+", "a"),
    ("a{2}", ""),
    ("abc{2}d", "ab"),
    ("abc{,3}d", "ab"),
    ("abc{0,1}d", "ab"),
    ("abc{0}", "ab"),
    ("abc{,}d", "ab"),
    ("abc??d", "ab"),
    ("abc*?d", "ab"),
    ("abc+?d", "abc"),
    ("abc{2}?d", "ab"),
    (r"abc\.?d", "abc"),
    (r"ab\??c", "ab"),
    ("abc{x}", "abc"),
    ("abc{", "abc"),
    ("abc{}d", "ab"),
    # Groups, classes and alternatives.
    ("ab[cd]efg", "efg"),
    ("ab[]cd]e", "ab"),
    ("ab[^]cd]e", "ab"),
    (r"ab[\]cd]e", "ab"),
    ("ab[(]cde", "cde"),
    ("ab[|]cde", "cde"),
    ("ab[c[]def", "def"),
    ("ab(cdef)g", "ab"),
    ("ab(?:cdef)?g", "ab"),
    ("ab(c(d)e)fgh", "fgh"),
    ("ab(?P<name>cdef)g", "ab"),
    (r"(a)\1bcd", ""),
    (r"(a)\1-bcd", "-bcd"),
    ("(?P<n>a)(?P=n)bcd", "bcd"),
    ("abc|d", ""),
    ("abc|abc", ""),
    ("|abc", ""),
    ("ab(c|d)efg", "efg"),
    ("(abc|d)", ""),
    ("ab(?=cdef)g", "ab"),
    ("ab(?!cdef)g", "ab"),
    ("(?<=cdef)ab", "ab"),
    ("(?<!cdef)ab", "ab"),
    ("(x)?(?(1)abc|def)gh", "gh"),
    ("(?i:abc)de", "de"),
    ("(?x:a b c)de", ""),
    # Flags and comments.
    ("(?i)ABC", "abc"),
    ("(?s)abc", "abc"),
    ("(?ims)abc", "abc"),
    ("(?x)abc d", ""),
    ("(?ix)abc d", ""),
    ("(?i)(?x)abc d", ""),
    ("abc(?#comment)?d", ""),
    ("abc(?#a|b)", ""),
]

# The non-ASCII characters that match a single ASCII character when case is ignored.
FIND_OTHERS = """
import json, re, sys
rest = "".join(map(chr, range(128, sys.maxunicode + 1)))
print(json.dumps([re.findall(re.escape(chr(code)), rest, re.IGNORECASE) for code in range(128)]))
"""


def render_literals(template: Path, destination: Path, patterns: list[str]) -> list[str]:
    routes = {
        f"r{number}": {"pattern": pattern, "message": "m"}
        for number, pattern in enumerate(patterns)
    }
    tables = read_route_tables(render(template, destination, routes=routes))
    return [row["contains"] for row in tables.routes]


@pytest.fixture(scope="session")
def fold(routed: Path) -> Callable[[str], str]:
    fold: Callable[[str], str] = read_hook(routed, "tool_routing")["fold"]
    return fold


def test_literal_is_the_longest_text_of_each_match(template: Path, tmp_path: Path) -> None:
    patterns = [pattern for pattern, _ in LITERALS]
    literals = render_literals(template, tmp_path / "derived", patterns)
    assert list(zip(patterns, literals, strict=True)) == LITERALS


def test_every_match_contains_the_literal(
    template: Path, tmp_path: Path, fold: Callable[[str], str]
) -> None:
    matches: dict[str, set[str]] = {}
    number = max(60, examples(600))
    for pattern, text in draw_pairs(number):
        for case, flags in product(list_cases(text), (0, re.IGNORECASE)):
            match = find_match(pattern, case, flags)
            if match is not None and pattern.isprintable() and pattern.strip() == pattern != "":
                matches.setdefault(pattern, set()).add(match)
    assert len(matches) > number / 20
    literals = render_literals(template, tmp_path / "any", list(matches))
    missed = [
        (pattern, match, literal)
        for (pattern, texts), literal in zip(matches.items(), literals, strict=True)
        for match in texts
        if literal not in fold(match)
    ]
    assert missed == []


@pytest.mark.parametrize("python", [sys.executable, *mark_long(find_interpreters())])
def test_no_non_ascii_character_matches_an_ascii_one(
    fold: Callable[[str], str], python: str
) -> None:
    completed = subprocess.run([python, "-c", FIND_OTHERS], capture_output=True, check=True)
    others = json.loads(completed.stdout)
    known = {"i": ["\u0130", "\u0131"], "s": ["\u017f"], "k": ["\u212a"]}
    for code, characters in enumerate(others):
        character = chr(code).lower()
        assert characters == known.get(character, [])
        assert {fold(other) for other in characters} <= {character}
