"""Suggest the word that a user meant."""

from collections.abc import Iterable

MAX_SUGGESTIONS = 3


def suggest(word: str, known: Iterable[str]) -> str:
    """Return "did you mean ...?" with the known words that are nearest to a word, or "".

    Args:
        word: What the user wrote.
        known: The words that there are.

    """
    import difflib  # only a mistake waits for it

    spelled = {one.casefold(): one for one in known}
    near = difflib.get_close_matches(word.casefold(), spelled, MAX_SUGGESTIONS)
    near = near or [one for one in spelled if abbreviates(word.casefold(), one)][:MAX_SUGGESTIONS]
    return f"did you mean {' or '.join(spelled[one] for one in near)}?" if near else ""


def abbreviates(short: str, word: str) -> bool:
    """Tell whether a word has the letters of a shorter one in their order, such as rm of remove."""
    rest = iter(word)
    return len(short) > 1 and word[:1] == short[:1] and all(letter in rest for letter in short)
