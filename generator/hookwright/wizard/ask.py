"""Ask the user at a terminal: what is typed is checked as it is typed."""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hookwright_console.errors import RefusedError
from hookwright_console.terminal import print_line
from hookwright_console.text import make_printable

if TYPE_CHECKING:
    from questionary import Question

BESIDE = 32  # characters of an example that stands beside its question; longer ones stand above

Check = Callable[[str], str]


def can_ask() -> bool:
    """Tell whether there is a terminal to ask at."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def take_any(text: str) -> str:  # noqa: ARG001 - a check
    """Return no problem, whatever is typed."""
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
        default: What is there already, to be edited.
        example: What might be typed.
        check: Returns what is wrong with a text, in one line, or "".

    Returns:
        The text, less the white space around it.

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
    """Ask for some words, with commas between them; raises as `ask_text`.

    Args:
        question: The question.
        default: The words that are there already.
        example: What might be typed.
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
    """Return what stands between the commas of a text, each once."""
    return list(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def ask_choice(question: str, choices: Mapping[str, str], default: str | None = None) -> str:
    """Ask which one it is to be; raises as `ask_text`.

    Args:
        question: The question.
        choices: What can be chosen, and how it is shown.
        default: What is chosen unless the user moves.

    """
    import questionary

    listed = [questionary.Choice(make_printable(title), key) for key, title in choices.items()]
    first = next((one for one in listed if one.value == default), None)
    return str(answer(questionary.select(make_printable(question), listed, default=first)))


def ask_several(
    question: str, choices: Mapping[str, str], chosen: Collection[str] = (), *, least: int = 0
) -> list[str]:
    """Ask which of several it is to be; raises as `ask_text`.

    Args:
        question: The question.
        choices: What can be chosen, and how it is shown.
        chosen: What is chosen unless the user changes it.
        least: How many have to be chosen.

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
    """Ask whether it is to be; raises as `ask_text`."""
    import questionary

    return bool(answer(questionary.confirm(make_printable(question), default=default)))


def answer(question: "Question") -> Any:
    """Return what the user answers; raises as `ask_text`."""
    if not can_ask():
        raise RefusedError("there is no terminal to ask at")
    try:
        return question.unsafe_ask()
    except EOFError:
        raise KeyboardInterrupt from None
