"""Ask the user at a terminal, and check the answers while they are typed."""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hookwright_console.errors import RefusedError
from hookwright_console.terminal import print_line
from hookwright_console.text import make_printable

if TYPE_CHECKING:
    from questionary import Question

BESIDE = 32  # characters; a longer example goes above its question

Check = Callable[[str], str]


def can_ask() -> bool:
    """Tell whether there is a terminal to ask at."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def take_any(text: str) -> str:  # noqa: ARG001 - a check
    """Accept any text."""
    return ""


def take_some(text: str) -> str:
    """Return the problem with a blank text."""
    return "" if text.strip() else "give it some text"


def ask_text(
    question: str, default: str = "", *, example: str = "", check: Check = take_any
) -> str:
    """Ask for a text.

    Args:
        question: The question.
        default: The text to start from.
        example: An example of an answer.
        check: Returns what is wrong with a text, in one line, or "".

    Returns:
        The text, stripped.

    Raises:
        KeyboardInterrupt: The user presses Ctrl-C or Ctrl-D.
        RefusedError: There is no terminal.

    """
    import questionary

    if len(example) > BESIDE:
        print_line(f"  e.g. {example}")
        example = ""
    return str(
        answer(
            questionary.text(
                make_printable(question),
                default=default,
                instruction=f"(e.g. {example}) " if example else None,
                validate=lambda text: make_printable(check(text.strip())) or True,
            )
        )
    ).strip()


def ask_words(
    question: str,
    default: Sequence[str] = (),
    *,
    example: str = "",
    check: Callable[[list[str]], str],
) -> list[str]:
    """Ask for words separated by commas; raise as `ask_text`.

    Args:
        question: The question.
        default: The words to start from.
        example: An example of an answer.
        check: Returns what is wrong with the words, in one line, or "".

    """
    text = ask_text(
        question,
        ", ".join(default),
        example=example,
        check=lambda text: check(split_words(text)),
    )
    return split_words(text)


def split_words(text: str) -> list[str]:
    """Return the words between the commas of a text, without duplicates."""
    return list(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def ask_choice(question: str, choices: Mapping[str, str], default: str | None = None) -> str:
    """Ask the user to choose one; raise as `ask_text`.

    Args:
        question: The question.
        choices: The title of each choice, by its key.
        default: The key that is selected first.

    """
    import questionary

    listed = [questionary.Choice(make_printable(title), key) for key, title in choices.items()]
    first = next((one for one in listed if one.value == default), None)
    return str(answer(questionary.select(make_printable(question), listed, default=first)))


def ask_several(
    question: str, choices: Mapping[str, str], chosen: Collection[str] = (), *, least: int = 0
) -> list[str]:
    """Ask the user to choose several; raise as `ask_text`.

    Args:
        question: The question.
        choices: The title of each choice, by its key.
        chosen: The keys that are selected first.
        least: The fewest to choose.

    """
    import questionary

    listed = [
        questionary.Choice(make_printable(title), key, checked=key in chosen)
        for key, title in choices.items()
    ]
    asked = questionary.checkbox(
        make_printable(question),
        listed,
        validate=lambda taken: len(taken) >= least or f"choose {least} or more",
        instruction="(space to choose, enter to go on)",
    )
    return [str(one) for one in answer(asked)]


def ask_yes(question: str, *, default: bool = True) -> bool:
    """Ask yes or no; raise as `ask_text`."""
    import questionary

    return bool(answer(questionary.confirm(make_printable(question), default=default)))


def answer(question: "Question") -> Any:
    """Return the answer of the user; raise as `ask_text`."""
    if not can_ask():
        raise RefusedError("there is no terminal to ask at")
    try:
        return question.unsafe_ask()
    except EOFError:
        raise KeyboardInterrupt from None
