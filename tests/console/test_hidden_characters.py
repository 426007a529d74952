"""Answers, messages, diffs and lessons use the same list of hidden characters."""

import json
import re

import pytest

from hookwright_console.terminal import dump
from hookwright_console.text import (
    INVISIBLE,
    escape_hidden,
    is_visible,
    make_printable,
    remove_hidden,
)
from runtime import invisible

# Unicode 16's Default_Ignorable_Code_Point (DerivedCoreProperties.txt) and blanks.
IGNORABLE = (
    "00AD 034F 061C 115F-1160 17B4-17B5 180B-180F 200B-200F 202A-202E 2060-206F 3164 FE00-FE0F FEFF"
    " FFA0 FFF0-FFF8 1BCA0-1BCA3 1D173-1D17A E0000-E0FFF"
)
BLANK = "2800 16FE4 13441-13442 1D159"
EMOJI = ["\u2764\ufe0f", "1\ufe0f\u20e3", "\u00a9\ufe0f", "\U0001f577\ufe0f", "\u3297\ufe0f"]
JOINED = ["\u0646\u200c\u0645", "\U0001f469\u200d\U0001f4bb", "\U0001f3f3\ufe0f\u200d\U0001f308"]


def list_points(ranges: str) -> list[str]:
    bounds = [word.split("-") for word in ranges.split()]
    return [chr(n) for b in bounds for n in range(int(b[0], 16), int(b[-1], 16) + 1)]


def test_list_matches_the_template() -> None:
    assert invisible.INVISIBLE == INVISIBLE


def test_no_ignorable_character_is_visible() -> None:
    points = list_points(IGNORABLE) + list_points(BLANK)
    assert len(points) == 4179
    assert [f"{ord(c):x}" for c in points if is_visible(f"a{c}b")] == []
    assert [f"{ord(c):x}" for c in points if c in remove_hidden(f"a{c}b")] == []
    assert [
        f"{ord(c):x}" for c in points if c in make_printable(c) + escape_hidden(c) + dump(c)
    ] == []


@pytest.mark.parametrize("text", EMOJI)
def test_emoji_keep_their_variation_selector(text: str) -> None:
    assert is_visible(text)
    assert remove_hidden(text) == make_printable(text) == text
    assert remove_hidden(f"{text}-\ufe0f") == f"{text}-"
    assert remove_hidden(f"\u2764{text[1] * 3}") == "\u2764\ufe0f"
    assert not is_visible(f"a\ufe0f{text}")


@pytest.mark.parametrize("text", JOINED)
def test_joiners_are_kept_in_words(text: str) -> None:
    assert remove_hidden(text) == text
    joiner = "\u200c" if "\u200c" in text else "\u200d"
    assert remove_hidden(text.replace(joiner, joiner * 2)).count(joiner) < 2
    assert remove_hidden(f"{text}{joiner}a{joiner}\u4e00") == f"{text}a\u4e00"


def test_plain_text_is_unchanged() -> None:
    text = "naïve e\u0301 हिन्दी ไทย العربية 한국어 漢字 🦊 — “x” ½"
    assert is_visible(text)
    assert remove_hidden(text) == text


def test_escapes_follow_json() -> None:
    for text in ("\u202e\U000e0100\ufe00\x1b", "\ud800"):
        assert json.loads(dump(text)) == text
        assert re.fullmatch(r'"(\\u[0-9a-f]{4})+"', dump(text))
