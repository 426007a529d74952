"""The wizard proposes a route pattern for a pasted URL."""

import io
import re
import sys
from collections.abc import Callable

import pytest

from hookwright.template.store import find_template
from hookwright.wizard.form import Form
from hookwright.wizard.routes import ask_pattern, describe_groups

Ask = Callable[..., str]
URL = "https://docs.acme.example/guide/42"


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Ask:
    def ask(*lines: str, tool: str = "WebFetch") -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return ask_pattern(Form(find_template(), {}), tool, "")

    return ask


def test_pasted_url_gets_a_pattern(ask: Ask) -> None:
    assert re.search(ask(URL, ""), URL)


def test_proposed_pattern_can_be_replaced(ask: Ask) -> None:
    assert ask(URL, "acme(", r"acme\.example") == r"acme\.example"


def test_pattern_that_misses_the_pasted_url_is_asked_again(
    ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(URL, r"other\.example", r"acme\.example") == r"acme\.example"
    assert f"it does not match {URL}, which you pasted" in " ".join(capsys.readouterr().out.split())


def test_pattern_is_used_unchanged(ask: Ask) -> None:
    assert ask(r"https?://acme\.example/") == r"https?://acme\.example/"


def test_command_is_not_mistaken_for_a_url(ask: Ask) -> None:
    assert ask(URL, tool="Bash") == URL


@pytest.mark.usefixtures("impatient")
def test_endless_pattern_is_asked_again(ask: Ask, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask("(a+)+$", "a+") == "a+"
    assert "can backtrack without end" in " ".join(capsys.readouterr().out.split())


WIKI = "https://en.wikipedia.org/wiki/Go_(game)"


def test_address_with_parentheses_needs_confirmation(ask: Ask) -> None:
    assert re.search(ask(WIKI, "y", ""), WIKI)
    assert ask(WIKI, "n") == WIKI


def test_address_without_a_scheme_needs_confirmation(ask: Ask) -> None:
    bare = URL.removeprefix("https://")
    assert re.search(ask(bare, "y", ""), URL)
    assert ask(bare, "n") == bare


def test_pasted_address_is_kept_for_the_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{URL}\n\n"))
    form = Form(find_template(), {})
    ask_pattern(form, "WebFetch", "")
    assert form.pasted == URL


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("example[.]org/", ""),
        (r"org/(?P<id>\d+)", " {id} of the pattern is filled in."),
        (r"(?P<a>x)/(?P<b>y)", " {a}, {b} of the pattern are filled in."),
    ],
)
def test_groups_are_listed_for_the_message(pattern: str, said: str) -> None:
    assert describe_groups(pattern) == said
