"""Know the characters that nobody sees: an agent reads them, and a reader would not know."""

import re

# Unicode's Default_Ignorable_Code_Point and blanks, where str.isprintable() lets them pass; but for
# the one U+FE0F that makes a character an emoji. The checks of answers have the same list.
UNSEEN = (
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U00016fe4"
    r"\U00013441\U00013442\U0001d159\U000e0100-\U000e01ef]"
    r"|(?<![#*0-9\xa9\xae\u203c-\u3299\U0001f000-\U0001faff])\ufe0f|(?<=[#*0-9])\ufe0f(?!\u20e3)"
)
# What U+200C and U+200D join: letters of Arabic, of Indic and of related scripts, and emoji.
JOINED = (
    r"[\u0600-\u109f\u1780-\u18af\u203c-\u3299\ufb50-\ufdff\ufe0f\ufe70-\ufefc"
    r"\U0001f000-\U0001faff]"
)
# All that is not seen: these, control characters but tab and newline, what separates lines or turns
# them around, what joins nothing, tags, and halves of pairs.
HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\ud800-\udfff\U000e0000-\U000e0fff]"
    rf"|{UNSEEN}|(?<!{JOINED})[\u200c\u200d]|[\u200c\u200d](?!{JOINED})"
)
UNSEEN_PATTERN = re.compile(UNSEEN)


def is_visible(text: str) -> bool:
    """Tell whether each character of a text can be printed, and is seen then."""
    return text.isprintable() and not UNSEEN_PATTERN.search(text)


def remove_hidden(text: str) -> str:
    """Return a text of several lines without what is not seen."""
    if text.isascii() and text.replace("\n", "").isprintable():  # as most are
        return text
    return HIDDEN.sub("", text)


def escape_hidden(text: str) -> str:
    r"""Return a text of several lines with JSON's escapes, such as \ufe0f, for what is not seen."""
    return HIDDEN.sub(lambda found: escape(found[0]), text)


def escape(character: str) -> str:
    """Return the escape of a character, which is one of JSON."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
