"""What a record has to be like to be taken, and what to do where it is not."""

import re
from collections.abc import Sequence
from datetime import datetime

from hookwright_console.errors import RefusedError
from hookwright_console.text import show
from hookwright_console.unseen import is_visible

LONGEST_TEXT = 20_000  # characters
LONGEST_NAME = 200  # characters of an id or a trigger
MOST_CATEGORIES = 20  # of a record
LONGEST_SOURCE = 4_096  # characters of where something was read, as long as paths can be
CATEGORY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*(?:/[a-z0-9]+(?:-[a-z0-9]+)*)*")
# Control characters but newline and tab; and halves of pairs, which are also what bytes that are
# no UTF-8 are decoded to.
UNFIT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
# What every Python reads alike: its own parser takes more from one version to the next.
MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{3}(?:\d{3})?)?)?(?:Z|[+-]\d\d:\d\d)", re.ASCII
)


def check_text(text: str) -> str:
    r"""Return the text of a record, its lines ended by \n alone.

    Args:
        text: Anything.

    Raises:
        RefusedError: It is blank, too long, or has characters that are no text.

    """
    text = text.replace("\r\n", "\n")
    if not text.strip():
        raise RefusedError("there is no text: write what was learned")
    if len(text) > LONGEST_TEXT:
        raise RefusedError(
            f"the text has {len(text):,} characters, more than {LONGEST_TEXT:,}: split it"
        )
    if unfit := UNFIT.search(text):
        line = text.count("\n", 0, unfit.start()) + 1
        column = unfit.start() - text.rfind("\n", 0, unfit.start())
        place = f"U+{ord(unfit[0]):04X} in line {line}, column {column} of the text"
        if unfit[0] >= "\ud800":
            raise RefusedError(f"{place} is no valid character: save the text as UTF-8")
        raise RefusedError(f"{place} is a control character: take it out")
    return text


def check_id(name: str) -> str:
    """Return an id.

    Raises:
        RefusedError: It is blank, too long, or would not be seen as it is.

    """
    if not name:
        raise RefusedError("the id is empty: name one, or leave the field out")
    return check_name("id", name)


def check_name(field: str, name: str) -> str:
    """Return a name, which may be empty, of up to 200 printable characters.

    Args:
        field: What the name is of, for the message.
        name: Anything.

    Raises:
        RefusedError: It is too long, or would not be seen as it is.

    """
    if len(name) > LONGEST_NAME:
        raise RefusedError(
            f"the {field} has {len(name):,} characters, more than {LONGEST_NAME}: shorten it"
        )
    if not is_visible(name) or name != name.strip():
        raise RefusedError(
            f"the {field} '{show(name)}' has white space at an end, or characters that cannot be"
            " printed: take them out"
        )
    return name


def check_source(field: str, source: str) -> str:
    """Return where something was read, which may be empty.

    Raises:
        RefusedError: It is longer than a path can be, or would not be seen as it is.

    """
    if len(source) > LONGEST_SOURCE or not is_visible(source):
        raise RefusedError(
            f"the {field} '{show(source)}' has more than {LONGEST_SOURCE:,} characters, or some"
            " that cannot be printed: shorten it, or take them out"
        )
    return source


def check_categories(categories: Sequence[str]) -> tuple[str, ...]:
    """Return categories, each once.

    Raises:
        RefusedError: They are too many, or one is no path of words such as devops/ci-cd.

    """
    if len(categories) > MOST_CATEGORIES:
        raise RefusedError(
            f"there are {len(categories):,} categories, more than {MOST_CATEGORIES}: choose some"
        )
    for category in categories:
        if len(category) > LONGEST_NAME:
            raise RefusedError(
                f"the category '{show(category)}' has more than {LONGEST_NAME} characters:"
                " shorten it"
            )
        if not CATEGORY.fullmatch(category):
            raise RefusedError(
                f"the category '{show(category)}' is no path of lower-case words: write it like"
                " devops/ci-cd"
            )
    return tuple(dict.fromkeys(categories))


def check_moment(moment: str) -> str:
    """Return a moment in ISO 8601 with its time zone; "" stays.

    Raises:
        RefusedError: It is not, or there is no such day or time.

    """
    if not moment:
        return moment
    try:
        if MOMENT.fullmatch(moment):
            datetime.fromisoformat(moment.replace("Z", "+00:00"))
            return moment
    except ValueError:
        pass
    raise RefusedError(
        f"created_at '{show(moment)}' is no moment with a time zone: write it like"
        " 2025-11-15T10:30:00Z"
    )
