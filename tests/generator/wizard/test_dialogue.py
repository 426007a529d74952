"""A terminal dialogue checks each answer immediately and can go back."""

import io
import sys
from collections.abc import Callable

import pytest

from hookwright.wizard.dialogue import Dialogue

Type = Callable[..., None]
CHOICES = {"take": "take it", "leave": "leave it out", "": "not now"}


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def type_lines(monkeypatch: pytest.MonkeyPatch) -> Type:
    def type_lines(*lines: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))

    return type_lines


def ask_three(dialogue: Dialogue) -> list[str]:
    first = dialogue.ask_text("First?", "one")
    second = dialogue.ask_text("Second?", example="two")
    return [first, second, dialogue.ask_text("Third?", f"after {first}")]


def test_enter_accepts_the_default(type_lines: Type, capsys: pytest.CaptureFixture[str]) -> None:
    type_lines("")
    assert Dialogue().ask_text("What is it?", "the docs") == "the docs"
    assert capsys.readouterr().out == "\nWhat is it?\n  Default: the docs\n> "


def test_typed_text_replaces_the_default(type_lines: Type) -> None:
    type_lines("~/docs/k8s")
    assert Dialogue().ask_text("What is it?", "the kubernetes documentation") == "~/docs/k8s"


def test_example_is_never_used_as_an_answer(
    type_lines: Type, capsys: pytest.CaptureFixture[str]
) -> None:
    type_lines("", "/docs")
    assert Dialogue().ask_text("Where is it?", example="~/docs") == "/docs"
    out = capsys.readouterr().out
    assert "  Example: ~/docs\n" in out
    assert "! type an answer, such as ~/docs, or < to go back\n> " in out


def test_error_is_complete_and_right_below_the_answer(
    type_lines: Type, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = "this is wrong, " * 12 + "so write it like this"
    type_lines("x", "y")
    answer = Dialogue().ask_text("What?", check=lambda text: problem if text == "x" else "")
    assert answer == "y"
    _, _, rest = capsys.readouterr().out.partition("> ")
    shown, _, end = rest.partition("> ")
    assert (" ".join(shown.split()), end) == (f"! {problem}", "")
    assert len(shown.splitlines()) == 3


def test_no_line_is_wider_than_the_terminal(
    type_lines: Type, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "some-words with/slashes " * 10
    words = {*long.split(), "Default:", "Example:", "numbers,", "with"}
    type_lines("", "1", "", "", "2")
    dialogue = Dialogue()

    def ask() -> None:
        dialogue.ask_text(long, long)
        dialogue.ask_several(long, {"a": long, "b": long}, ["b"])
        dialogue.ask_yes(long)
        dialogue.ask_text(long, example=long, may_be_empty=True)
        dialogue.ask_choice(long, {"a": long, "b": long})
        dialogue.print(long, "  | ")

    dialogue.section("Long", long, ask)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) < 80
    assert {word for line in lines for word in line.split() if "slash" in word} <= words


def test_going_back_keeps_the_answers(type_lines: Type, capsys: pytest.CaptureFixture[str]) -> None:
    type_lines("uno", "dos", "<", "<", "eins", "", "")
    dialogue = Dialogue()
    answers = dialogue.section("Numbers", "They count.", lambda: ask_three(dialogue))
    assert answers == ["eins", "dos", "after eins"]
    out = capsys.readouterr().out
    assert "First?\n  Default: uno\n" in out
    assert out.count("Numbers\n") == 1
    assert out.count("Second?") == 3


def test_going_back_reaches_the_previous_section(
    type_lines: Type, capsys: pytest.CaptureFixture[str]
) -> None:
    type_lines("1", "2", "3", "4", "<", "<", "", "", "5", "6", "n", "<", "y", "y")
    dialogue = Dialogue()

    def ask() -> bool:
        for title in ("One", "Two"):
            dialogue.section(title, "It is asked.", lambda: ask_three(dialogue))
        dialogue.print("Here is all.")
        dialogue.ask_yes("Sure?")
        return dialogue.ask_yes("Make it?")

    assert dialogue.run(ask)
    assert [answer for _, answer in dialogue.answers] == [*"123456", True, True]
    out = capsys.readouterr().out
    assert out.count("One\n===") == 1
    assert "no earlier question to go back to" not in out


def test_first_question_has_no_predecessor(
    type_lines: Type, capsys: pytest.CaptureFixture[str]
) -> None:
    type_lines("<", "1", "2", "3", "<", "4", "5", "6")
    dialogue = Dialogue()
    for title in ("One", "Two"):
        dialogue.section(title, "It is asked.", lambda: ask_three(dialogue))
    assert [answer for _, answer in dialogue.answers] == list("123456")
    out = capsys.readouterr().out
    assert out.count("! there is no earlier question to go back to\n") == 2


def test_keys_are_explained_once(type_lines: Type, capsys: pytest.CaptureFixture[str]) -> None:
    type_lines("", "2", "", "", "5", "")
    dialogue = Dialogue()
    for title in ("One", "Two"):
        dialogue.section(title, f"{title} is for this.", lambda: ask_three(dialogue))
    out = capsys.readouterr().out
    assert out.count("Enter takes a default, < goes back to the previous question") == 1
    assert "\nTwo\n===\nTwo is for this.\n" in out


@pytest.mark.parametrize(
    ("lines", "taken"),
    [([""], "take"), (["2"], "leave"), (["3"], ""), (["4", "take", "2"], "leave")],
)
def test_choice_is_selected_by_number(
    type_lines: Type, capsys: pytest.CaptureFixture[str], lines: list[str], taken: str
) -> None:
    type_lines(*lines)
    assert Dialogue().ask_choice("What next?", CHOICES) == taken
    out = capsys.readouterr().out
    assert "   1  take it\n   2  leave it out\n   3  not now\n  Default: 1\n" in out
    assert ("! expected a number from 1 to 3, got 4\n" in out) == (len(lines) > 1)


def test_only_choice_is_named(type_lines: Type, capsys: pytest.CaptureFixture[str]) -> None:
    type_lines("2", "")
    assert Dialogue().ask_several("Which?", {"a": "A"}, ["a"]) == ["a"]
    assert "! expected 1, got 2\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("lines", "taken"),
    [
        ([""], ["leave"]),
        (["-"], []),
        (["none"], []),
        (["1,3"], ["take", ""]),
        (["9", "3 1"], ["take", ""]),
    ],
)
def test_several_choices_are_selected_by_number(
    type_lines: Type, lines: list[str], taken: list[str]
) -> None:
    type_lines(*lines)
    assert Dialogue().ask_several("Which?", CHOICES, ["leave"]) == taken


def test_minimum_number_of_choices_is_required(
    type_lines: Type, capsys: pytest.CaptureFixture[str]
) -> None:
    type_lines("", "2")
    assert Dialogue().ask_several("Which?", CHOICES, (), least=1) == ["leave"]
    assert "! choose 1 or more, by their numbers\n" in capsys.readouterr().out


@pytest.mark.parametrize("typed", ["-", "none", "None"])
def test_default_can_be_declined(
    type_lines: Type, capsys: pytest.CaptureFixture[str], typed: str
) -> None:
    type_lines(typed, typed)
    assert Dialogue().ask_text("With?", "top_k=5", may_be_empty=True) == ""
    assert Dialogue().ask_text("With?", may_be_empty=True) == ""
    out = capsys.readouterr().out
    assert "  Default: top_k=5  (- for none)\n" in out
    assert "  Default: none\n" in out


@pytest.mark.parametrize(
    ("default", "lines", "taken"),
    [
        (True, [""], True),
        (False, [""], False),
        (True, ["No"], False),
        (False, ["what", "y"], True),
    ],
)
def test_yes_and_no_have_one_form(
    type_lines: Type,
    capsys: pytest.CaptureFixture[str],
    *,
    default: bool,
    lines: list[str],
    taken: bool,
) -> None:
    type_lines(*lines)
    assert Dialogue().ask_yes("Go on?", default=default) == taken
    out = capsys.readouterr().out
    assert out.startswith(f"\nGo on? [{'Y/n' if default else 'y/N'}] ")
    assert ("! expected y or n, got what\n" in out) == (len(lines) > 1)


def test_end_of_input_stops_the_dialogue(type_lines: Type) -> None:
    type_lines()
    with pytest.raises(KeyboardInterrupt):
        Dialogue().ask_text("What?", "it")


def test_undecodable_bytes_are_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"\xff\n"), "utf-8")
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(KeyboardInterrupt):
        Dialogue().ask_text("What?", "it")
    assert "! expected UTF-8: type it again\n" in capsys.readouterr().out


def test_default_depends_on_earlier_answers(type_lines: Type) -> None:
    type_lines("<", "<", "<", "uno", "", "", "")
    dialogue = Dialogue()
    dialogue.load([("First?", "1"), ("Second?", "2"), ("Third?", "after 1")])

    def ask() -> list[str]:
        answers = ask_three(dialogue)
        assert dialogue.ask_yes("Done?")
        return answers

    assert dialogue.section("It", "It is asked.", ask) == ["uno", "2", "after uno"]
