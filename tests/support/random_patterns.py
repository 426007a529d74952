"""Generate patterns with all of re's syntax, each with a text that may match."""

import re
import sys
import unicodedata
import warnings

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

Pair = tuple[str, str]

CHARACTERS = "abiksIKS19 .-/:_#&,=~\"'\\(){}[]|?*+^$é漢ſıİ\u212a•"
SPECIAL = ".-/:_#&,=~\"'\\(){}[]|?*+^$ "
QUANTIFIERS = ["?", "*", "+", "{2}", "{,3}", "{0,1}", "{0}", "{1,}", "{,}", "{1,2}"]
POSSESSIVE = ["+"] if sys.version_info >= (3, 11) else []
RAW = ["{", "}", "]", "{}", "{1", "{,", "{a}", "{1,b}", "a{2 }"]
REFERENCES = [(r"(a)\1bc", "aabc"), ("(?P<n>k)(?P=n)s", "kks")]
CLASSES = ["[]a]", "[^]a]", r"[a\]|]", "[(]", "[|]", "[)a-k]", "[a{2}]", r"[\\]", "[*a?]", "[^a]"]
OPENERS = ["(", "(?:", "(?i:", "(?s:", "(?m:", "(?a:", "(?x:", "(?i-s:", "(?s-x:"]
LOOKAROUNDS = ["(?=", "(?!", "(?<=", "(?<!"]
EMPTY = [
    "^",
    "$",
    r"\b",
    r"\B",
    r"\A",
    r"\Z",
    "(?#a)",
    "(?#(a|b)",
    "(?#\\)",
    "(?#[)",
    "()",
    "(?:|a)",
]
FLAGS = [*[""] * 12, "(?i)", "(?s)", "(?m)", "(?a)", "(?x)", "(?is)", "(?ix)", "(?i)(?s)"]


def write_escapes(character: str) -> list[str]:
    code = ord(character)
    escapes = [f"[{character}]", f"\\u{code:04x}", f"\\U{code:08x}", f"(?:{re.escape(character)})"]
    if code < 256:
        escapes += [f"\\x{code:02x}", f"\\{code:03o}", f"\\0{code:02o}"]
    name = unicodedata.name(character, "")
    return [*escapes, f"\\N{{{name}}}"] if name else escapes


def write_character(character: str) -> st.SearchStrategy[Pair]:
    plain = f"\\{character}" if character in SPECIAL else character
    ways = st.sampled_from([plain] * 12 + [character] * 6 + write_escapes(character))
    return ways.map(lambda way: (way, character))


def repeat(pair: Pair, quantifier: str, times: int) -> Pair:
    return pair[0] + quantifier, pair[1] * times


def group(pair: Pair, opener: str) -> Pair:
    return f"{opener}{pair[0]})", pair[1]


def branch(one: Pair, other: Pair, opener: str) -> Pair:
    closer = ")" if opener else ""
    return f"{opener}{one[0]}|{other[0]}{closer}", other[1]


def join(pairs: list[Pair]) -> Pair:
    return "".join(pattern for pattern, _ in pairs), "".join(text for _, text in pairs)


def write_condition(yes: Pair, no: Pair, optional: Pair) -> Pair:
    return f"(?P<g>{optional[0]})?(?(g){yes[0]}|{no[0]})", no[1]


ONE = st.sampled_from(CHARACTERS).flatmap(write_character)
BARE = st.one_of(
    st.sampled_from([*((raw, raw) for raw in RAW), *REFERENCES]),
    st.tuples(st.sampled_from(CLASSES), st.sampled_from("a]|(b)\\*")),
    st.tuples(st.sampled_from([r"\w", r"\d", r"\s", r"\S", "."]), st.sampled_from("a1 /")),
    st.sampled_from(EMPTY).map(lambda empty: (empty, "")),
)
WORDS = st.sampled_from(["abc", "https://", "git/hub", "is k", "x-y", "a,b"]).map(lambda w: (w, w))
ATOMS = st.one_of(ONE, ONE, ONE, WORDS, BARE)
REPEATS = st.builds(
    lambda quantifier, more: quantifier + more,
    st.sampled_from(QUANTIFIERS),
    st.sampled_from(["", "", "", "?", *POSSESSIVE]),
)


def extend(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    several = st.lists(inner, max_size=4).map(join)
    return st.one_of(
        several,
        st.builds(repeat, inner, REPEATS, st.integers(0, 3)),
        st.builds(group, several, st.sampled_from(OPENERS)),
        st.builds(repeat, st.builds(group, several, st.just("(?:")), REPEATS, st.integers(0, 2)),
        st.builds(
            branch, several, several, st.sampled_from(["(", "(?:", "(?i:", "(?s:", "(", "(?:", ""])
        ),
        st.builds(group, inner, st.sampled_from(LOOKAROUNDS)).map(lambda pair: (pair[0], "")),
        st.builds(write_condition, inner, inner, inner),
    )


PLAIN = st.one_of(WORDS, ONE)
REPEATED = st.builds(repeat, ONE, REPEATS, st.sampled_from([0, 0, 1, 2]))
AFTER_WORD = st.tuples(WORDS, REPEATED).map(lambda pairs: join([*pairs]))
PARTS = st.one_of(PLAIN, AFTER_WORD, AFTER_WORD, AFTER_WORD, ATOMS, REPEATED, extend(ATOMS))
WHOLE = st.lists(PARTS | extend(extend(ATOMS)), min_size=2, max_size=7).map(join)
WITHIN_WORDS = st.tuples(WORDS, WHOLE, WORDS).map(lambda pairs: join([*pairs]))
PAIRS = st.builds(
    lambda flags, pair: (flags + pair[0], pair[1]), st.sampled_from(FLAGS), WHOLE | WITHIN_WORDS
)


def list_cases(text: str) -> list[str]:
    odd = [str.maketrans("iIsSkK", "ııſſ\u212a\u212a"), str.maketrans("iI", "İİ")]  # noqa: RUF001
    return [text, text.upper(), text.lower(), *(text.translate(table) for table in odd)]


def draw_pairs(number: int) -> list[Pair]:
    pairs: list[Pair] = []

    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(pair=PAIRS)
    def draw(pair: Pair) -> None:
        pairs.append(pair)

    draw()
    return pairs


NEWER = re.compile(r"[*+?}]\+|\(\?>")


def find_match(pattern: str, text: str, flags: int) -> str | None:
    """Return a pattern's match in a text, or None if there is no match or the pattern is invalid.

    Possessive repeats, which only newer Pythons support, count as invalid.
    """
    if NEWER.search(pattern):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            match = re.search(pattern, text, flags)
    except (re.error, OverflowError, ValueError, Warning):
        return None
    return match[0] if match else None
