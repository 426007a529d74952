"""Ask questions in turn at a terminal, and go back to an earlier one on request."""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from hookwright_console.errors import RefusedError
from hookwright_console.terminal import read_yes, refuse_yes, wrap, write_yes
from hookwright_console.text import shorten

BACK = "<"
NONE_KEY = "-"
NONE_WORD = "none"  # as displayed and typed
INDENT = "  "
KEYS = (
    "Enter takes a default, < goes back to the previous question, Up brings back what you typed, "
    "Ctrl-C keeps a draft."
)

Answer = str | bool | list[str]
GivenAnswer = tuple[str, Answer]  # question and answer
Key = tuple[int, str]  # section number, and a question in that section
Check = Callable[[str], str]
T = TypeVar("T")


class BackError(Exception):
    """The user wants to go back to the previous question."""


class WrongAnswerError(Exception):
    """A line is not a valid answer; the message says what to type instead."""


@dataclass(frozen=True)
class Prompt:
    """A question, and how to parse the user's line."""

    question: str
    read: Callable[[str], Answer]  # raises WrongAnswerError
    check: Callable[[Any], str]  # returns the error in an answer of any type, or ""
    write: Callable[[Any], str]  # as the user would type it
    default: Answer | None = None  # used on Enter; None if an answer is required
    choices: Sequence[str] = ()  # titles to choose from
    example: str = ""
    may_be_empty: bool = False

    def show(self, default: Answer | None) -> str:
        """Print the question, and return its last part, the prompt for input."""
        if isinstance(default, bool):
            *lines, last = write_yes(self.question, default=default).split("\n")
            print("\n".join(["", *lines]))
            return last
        print("\n" + wrap(self.question))
        for number, title in enumerate(self.choices, 1):
            start = f"{INDENT}{number:>2}  "
            print(wrap(title, start, " " * len(start)))
        if default is not None and self.write(default) != NONE_KEY:
            way_out = f"  ({NONE_KEY} for {NONE_WORD})" if self.may_be_empty else ""
            print(wrap(f"Default: {self.write(default)}{way_out}", INDENT, INDENT * 2))
        else:
            if self.example:
                print(wrap(f"Example: {self.example}", INDENT, INDENT * 2))
            if self.may_be_empty:
                print(f"{INDENT}Default: {NONE_WORD}")
        return "> "


@dataclass
class Step:
    """A question that was answered."""

    question: str
    answer: Answer
    section: int = 0  # number of the section
    default: Answer | None = None  # when it was asked


class Dialogue:
    """A series of questions and their answers.

    Answers are kept in order. To go back, the last answer is dropped and the asking code starts
    again: all questions except the last are answered from the kept answers.
    """

    def __init__(self, *, attended: bool = True) -> None:
        self.attended = attended  # otherwise each question uses its default
        self._answers: list[Step] = []
        self._place = 0  # index of the next question
        self._section = 0  # number of the section
        self._starts: list[int] = []  # indices at which the asking code can restart
        self._earlier: dict[Key, Answer] = {}  # earlier answers, which become defaults
        self._is_silent = False  # True while going back
        self._has_shown_keys = False

    @property
    def answers(self) -> tuple[GivenAnswer, ...]:
        return tuple((step.question, step.answer) for step in self._answers)

    @property
    def is_replaying(self) -> bool:
        return self._place < len(self._answers)

    def load(self, answers: Sequence[GivenAnswer]) -> None:
        self._answers = [Step(question, answer) for question, answer in answers]

    def print(self, line: str, indent: str = "", hanging: str | None = None) -> None:
        if not self._is_silent:
            print(wrap(line, indent, hanging))

    def section(self, title: str, purpose: str, ask: Callable[[], T]) -> T:
        """Ask some questions under a heading; the user can go back among them.

        `ask` restarts whenever the user goes back.
        """
        if self.attended and not self._is_silent:
            print(f"\n{wrap(title)}\n{'=' * len(title)}\n{wrap(purpose)}")
            if not self._has_shown_keys:
                print(wrap(KEYS))
            self._has_shown_keys = True
        self._section += 1
        return self.run(ask)

    def run(self, ask: Callable[[], T]) -> T:
        """Ask some questions, which may be sections; the user can go back among them."""
        start, section = self._place, self._section
        self._starts.append(start)
        try:
            while True:
                try:
                    return ask()
                except BackError:
                    if len(self._answers) <= start:  # the previous question is in another section
                        raise
                    step = self._answers.pop()
                    if step.answer != step.default:  # a default depends on earlier answers
                        self._earlier[step.section, step.question] = step.answer
                self._place, self._section = start, section
                self._is_silent = len(self._answers) > start
        finally:
            self._starts.pop()

    def forget_last(self) -> None:
        """Forget the last answer, so that a continued draft asks its question again."""
        del self._answers[-1:]

    def ask_text(
        self,
        question: str,
        default: str = "",
        *,
        example: str = "",
        check: Check | None = None,
        may_be_empty: bool = False,
    ) -> str:
        """Ask for a text, and return it stripped.

        `check` returns a text's fault in one line, or "". Raises BackError if the user goes back,
        and KeyboardInterrupt for Ctrl-C and Ctrl-D.
        """

        def find_problem(answer: object) -> str:
            if not isinstance(answer, str):
                return "expected a text"
            if not answer:
                such = f", such as {example}," if example else ""
                return "" if may_be_empty else f"type an answer{such} or {BACK} to go back"
            return check(answer) if check else ""

        prompt = Prompt(
            question,
            read=lambda line: "" if may_be_empty and means_none(line) else line,
            check=find_problem,
            write=lambda answer: answer or NONE_KEY,
            default=default if default or may_be_empty else None,
            example=example,
            may_be_empty=may_be_empty,
        )
        return str(self._ask(prompt))

    def ask_words(
        self,
        question: str,
        default: Sequence[str] = (),
        *,
        example: str = "",
        check: Callable[[list[str]], str],
        may_be_empty: bool = False,
    ) -> list[str]:
        """Ask for comma-separated words; arguments and errors as in `ask_text`."""
        text = self.ask_text(
            question,
            ", ".join(default),
            example=example,
            check=lambda text: check(split_words(text)),
            may_be_empty=may_be_empty,
        )
        return split_words(text)

    def ask_choice(
        self, question: str, choices: Mapping[str, str], default: str | None = None
    ) -> str:
        """Ask the user to choose an item by its title; return its key, the first by default."""
        usual = default if default in choices else next(iter(choices))
        (key,) = self._ask_keys(question, choices, [str(usual)], least=1, most=1)
        return key

    def ask_several(
        self, question: str, choices: Mapping[str, str], chosen: Collection[str], *, least: int = 0
    ) -> list[str]:
        """Ask the user to choose several items by title, if there are any; return their keys."""
        usual = [key for key in choices if key in chosen]
        question = f"{question} Type their numbers, separated by commas."
        most = len(choices)
        return self._ask_keys(question, choices, usual, least=least, most=most) if choices else []

    def _ask_keys(
        self,
        question: str,
        choices: Mapping[str, str],
        usual: list[str],
        *,
        least: int,
        most: int,
    ) -> list[str]:
        numbers = {str(number): key for number, key in enumerate(choices, 1)}

        def read(line: str) -> list[str]:
            if means_none(line) and not least:
                return []
            words = [line] if most == 1 else line.replace(",", " ").split()
            for word in words:
                if word not in numbers:
                    wanted = f"a number from 1 to {len(numbers)}" if len(numbers) > 1 else "1"
                    raise WrongAnswerError(f"expected {wanted}, got {shorten(word)}")
            return [key for number, key in numbers.items() if number in words]

        def check(keys: object) -> str:
            if not isinstance(keys, list) or any(key not in choices for key in keys):
                return "expected some of the choices"
            return "" if len(keys) >= least else f"choose {least} or more, by their numbers"

        def write(keys: Collection[str]) -> str:
            return ", ".join(number for number, key in numbers.items() if key in keys) or NONE_KEY

        prompt = Prompt(
            question,
            read=read,
            check=check,
            write=write,
            default=usual if usual or not least else None,
            choices=tuple(choices.values()),
            may_be_empty=not least,
        )
        return list(self._ask(prompt))

    def ask_yes(self, question: str, *, default: bool = True) -> bool:
        def read(line: str) -> bool:
            answer = read_yes(line, default=default)
            if answer is None:
                raise WrongAnswerError(refuse_yes(line))
            return answer

        prompt = Prompt(
            question,
            read=read,
            check=lambda answer: "" if isinstance(answer, bool) else "expected yes or no",
            write=lambda answer: "y" if answer else "n",
            default=default,
        )
        answer: bool = self._ask(prompt)
        return answer

    def _ask(self, prompt: Prompt) -> Any:
        if self.is_replaying:
            step = self._answers[self._place]
            if step.question == prompt.question and not prompt.check(step.answer):
                self._place += 1
                step.section, step.default = self._section, prompt.default
                if not self._is_silent:
                    print(f"{prompt.show(prompt.default)}{wrap(prompt.write(step.answer))}")
                self._is_silent = self._is_silent and self.is_replaying
                return step.answer
            # The remaining answers belong to other questions.
            for rest in self._answers[self._place :]:
                self._earlier[self._section, rest.question] = rest.answer
            del self._answers[self._place :]
        self._is_silent = False
        key = (self._section, prompt.question)
        default = self._earlier.get(key)
        default = prompt.default if default is None or prompt.check(default) else default
        answer = self._read(prompt, default, prompt.show(default) if self.attended else "")
        self._earlier.pop(key, None)  # the same question may be asked again for another record
        self._answers.append(Step(prompt.question, answer, self._section, prompt.default))
        self._place += 1
        return answer

    def _read(self, prompt: Prompt, default: Answer | None, end: str) -> Answer:
        while True:
            try:
                line = read_line(end) if self.attended else ""
                if line == BACK:
                    self._go_back()
                answer = prompt.read(line) if line or default is None else default
                problem = prompt.check(answer)
            except WrongAnswerError as wrong:
                problem = str(wrong)
            else:
                if not problem:
                    return answer
            if not self.attended:
                raise RefusedError(f"{prompt.question} {problem}; leave out --yes to answer")
            print(wrap(problem, "! ", INDENT))

    def _go_back(self) -> None:
        if self._starts and len(self._answers) > self._starts[0]:
            raise BackError
        raise WrongAnswerError("there is no earlier question to go back to")


def can_ask() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def read_line(end: str) -> str:
    with suppress(ImportError):  # Windows has its own line editing
        import readline  # noqa: F401 - input uses it
    try:
        return input(end).strip()
    except (EOFError, KeyboardInterrupt):
        print()
        raise KeyboardInterrupt from None
    except UnicodeDecodeError:
        raise WrongAnswerError("expected UTF-8: type it again") from None


def split_words(text: str) -> list[str]:
    return list(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def means_none(line: str) -> bool:
    return line.casefold() in {NONE_KEY, NONE_WORD}
