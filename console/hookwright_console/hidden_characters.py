"""Find invisible characters: an agent reads them, a person does not see them."""

import re

# Characters of Unicode's Default_Ignorable_Code_Point and blanks that str.isprintable() accepts,
# except for a U+FE0F that makes a character an emoji. The checks of answers have the same list.
UNSEEN = (
    r"\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U00016fe4"
    r"\U00013441\U00013442\U0001d159\U000e0100-\U000e01ef"
)
INVISIBLE = (
    rf"[{UNSEEN}]"
    r"|(?<![#*0-9\xa9\xae\u203c-\u3299\U0001f000-\U0001faff])\ufe0f|(?<=[#*0-9])\ufe0f(?!\u20e3)"
)
# Characters that U+200C and U+200D join: letters of Arabic, Indic and related scripts, and emoji.
JOINED = (
    r"[\u0600-\u109f\u1780-\u18af\u203c-\u3299\ufb50-\ufdff\ufe0f\ufe70-\ufefc"
    r"\U0001f000-\U0001faff]"
)
# These, control characters except tab and newline, line separators, direction marks, joiners that
# join nothing, tags and lone surrogates.
HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\ud800-\udfff\U000e0000-\U000e0fff]"
    rf"|{INVISIBLE}|(?<!{JOINED})[\u200c\u200d]|[\u200c\u200d](?!{JOINED})"
)
INVISIBLE_PATTERN = re.compile(INVISIBLE)
SUSPECT = re.compile(rf"[{UNSEEN}\ufe0f]")  # one of these may be invisible


def is_visible(text: str) -> bool:
    return text.isprintable() and not INVISIBLE_PATTERN.search(text)


def remove_hidden(text: str) -> str:
    """Return a text without invisible characters; newlines stay."""
    line = text.replace("\n", "").replace("\t", "")
    if line.isprintable() and (line.isascii() or not SUSPECT.search(line)):  # as most are
        return text
    return HIDDEN.sub("", text)


def escape_hidden(text: str) -> str:
    r"""Return a text with JSON escapes such as \ufe0f for invisible characters; newlines stay."""
    return HIDDEN.sub(lambda found: escape(found[0]), text)


def escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
