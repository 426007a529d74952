"""Make text safe for messages, find invisible characters, and suggest corrections.

Invisible characters are not seen by people but are read by agents.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

# Unicode's Default_Ignorable_Code_Point characters and the blanks that str.isprintable() accepts,
# except for a U+FE0F that turns a character into an emoji. The answer checks use the same list.
UNSEEN = (
    r"\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U00016fe4"
    r"\U00013441\U00013442\U0001d159\U000e0100-\U000e01ef"
)
INVISIBLE = (
    rf"[{UNSEEN}]"
    r"|(?<![#*0-9\xa9\xae\u203c-\u3299\U0001f000-\U0001faff])\ufe0f|(?<=[#*0-9])\ufe0f(?!\u20e3)"
)
# Characters that U+200C and U+200D may join: letters of Arabic, Indic and related scripts, and
# emoji.
JOINED = (
    r"[\u0600-\u109f\u1780-\u18af\u203c-\u3299\ufb50-\ufdff\ufe0f\ufe70-\ufefc"
    r"\U0001f000-\U0001faff]"
)
# The characters above, control characters except tab and newline, line separators, direction marks,
# joiners that join nothing, tags and lone surrogates.
HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\ud800-\udfff\U000e0000-\U000e0fff]"
    rf"|{INVISIBLE}|(?<!{JOINED})[\u200c\u200d]|[\u200c\u200d](?!{JOINED})"
)
INVISIBLE_PATTERN = re.compile(INVISIBLE)
SUSPECT = re.compile(rf"[{UNSEEN}\ufe0f]")  # characters that may be invisible
MAX_LENGTH = 60  # characters
MAX_SUGGESTIONS = 3


def is_visible(text: str) -> bool:
    return text.isprintable() and not INVISIBLE_PATTERN.search(text)


def remove_hidden(text: str) -> str:
    """Return a text without invisible characters; newlines are kept."""
    line = text.replace("\n", "").replace("\t", "")
    if line.isprintable() and (line.isascii() or not SUSPECT.search(line)):  # true for most lines
        return text
    return HIDDEN.sub("", text)


def escape_hidden(text: str) -> str:
    r"""Return a text with invisible characters as JSON escapes such as \ufe0f; keep newlines."""
    return HIDDEN.sub(lambda found: escape(found[0]), text)


def escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def shorten(value: str) -> str:
    """Return a value as a printable line of up to MAX_LENGTH characters; never cut an escape."""
    shown = make_printable(value[: MAX_LENGTH + 1])
    if len(shown) <= MAX_LENGTH:
        return shown
    # Escapes depend on neighbouring characters, so each shortened part is escaped again.
    cuts = (make_printable(value[:end]) for end in range(MAX_LENGTH - 1, -1, -1))
    return next(cut for cut in cuts if len(cut) < MAX_LENGTH) + "…"


def make_printable(text: str) -> str:
    r"""Return a text as one line, with unprintable characters as escapes such as \n."""
    if text.isascii() and text.isprintable():  # true for most texts
        return text
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return escape_hidden(text)


def shorten_home(path: str) -> str:
    """Return a path with the home folder written as ~."""
    home = Path.home().as_posix()
    return f"~{path.removeprefix(home)}" if f"{path}/".startswith(f"{home}/") else path


def name_some(names: Sequence[str], most: int) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def suggest(word: str, known: Iterable[str]) -> str:
    """Return "did you mean ...?" with the most similar known words, or ""."""
    import difflib  # needed only after a mistake

    spelled = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(word.casefold(), spelled, MAX_SUGGESTIONS)
    near = (
        near or [name for name in spelled if abbreviates(word.casefold(), name)][:MAX_SUGGESTIONS]
    )
    return f"did you mean {' or '.join(spelled[name] for name in near)}?" if near else ""


def abbreviates(short: str, word: str) -> bool:
    rest = iter(word)
    return len(short) > 1 and word[:1] == short[:1] and all(letter in rest for letter in short)
