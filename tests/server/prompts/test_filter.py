"""Only prompts that a user wrote and that expect an answer cause a search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson_search.prompts.filter import (
    EDITOR_TAGS,
    MACHINE_TAGS,
    find_obstacle,
)

QUESTION = "why does the docker build fail?"


@pytest.mark.parametrize(
    "prompt",
    [
        QUESTION,
        "0123456789",
        "为什么流水线构建总是失败?",
        "почему падает сборка в CI",
        "كيف أصلح فشل البناء",
        "\ud800 is what the parser chokes on",
    ],
)
def test_questions_are_searched(prompt: str) -> None:
    assert is_worth_searching(prompt)


@pytest.mark.parametrize(
    ("prompt", "obstacle"),
    [("/help me", "slash command"), ("!ls", "shell command"), ("# note", "memory note")],
)
def test_short_commands_are_not_searched(prompt: str, obstacle: str) -> None:
    assert find_obstacle(prompt) == obstacle


@pytest.mark.parametrize("prompt", ["", "yes", "go on", "123456789", "\n\t go on\u3000\n  \n  "])
def test_short_prompt_is_not_searched(prompt: str) -> None:
    assert not is_worth_searching(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "/review-pr 42",
        "  /security-review",
        "/review-pr\nwith care, please",
        "/github-tools:review_pr 42",
        "/mcp__github__list_prs",
    ],
)
def test_slash_command_is_not_searched(prompt: str) -> None:
    assert not is_worth_searching(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "/etc/hosts is broken, why?",
        "/var is full on the runner",
        "/api/v1/users returns 500",
        "/README.md is out of date",
        "// why is this comment here",
        "/* why is this comment here */",
        "/review-pr, what does it do?",
        "/为什么这个测试在流水线里失败",
    ],
)
def test_other_slashes_are_searched(prompt: str) -> None:
    assert is_worth_searching(prompt)


@pytest.mark.parametrize("prompt", ["!git status -sb", "! docker build .", "![ -f x ] && ls -la"])
def test_shell_command_is_not_searched(prompt: str) -> None:
    assert not is_worth_searching(prompt)


def test_notes_are_distinguished_from_headings() -> None:
    for prompt, worth in [
        ("# always use uv, never pip", False),
        ("#\talways use uv, never pip", False),
        ("# Bug\n\nThe login page shows an error.", True),
        ("## What breaks the login page", True),
        ("#123 fails on the new runner", True),
        ("#include <vector> is not found", True),
        ("why does #123 fail?\n# a comment", True),
        ("![screenshot](a.png) what is wrong here?", True),
        ("does ! negate the exit status?", True),
    ]:
        assert is_worth_searching(prompt) is worth


def test_client_prompts_are_not_searched() -> None:
    for tag in MACHINE_TAGS:
        for opening in (f"<{tag}>", f"\n<{tag} id='1'>", f"<{tag}/>"):
            assert not is_worth_searching(f"{opening}{QUESTION}</{tag}>\n{QUESTION}")


@pytest.mark.parametrize("tag", EDITOR_TAGS)
def test_editor_notes_are_not_searched(tag: str) -> None:
    note = f"<{tag}>The user opened\n/src/login.py</{tag}>"
    assert not is_worth_searching(note)
    assert not is_worth_searching(f"{note}\n{note}\nyes")
    assert not is_worth_searching(f"{note}\n/review-pr 42")
    assert is_worth_searching(f"{note}\n{note}\n{QUESTION}")


@pytest.mark.parametrize(
    "prompt",
    [
        "<div> is never closed, why?",
        "<command-palette> does not render",
        "<bash-inputs> does not render",
        "why is there a <system-reminder> in my log?",
        "<ide_selection> without an end, why?",
    ],
)
def test_prompts_with_other_tags_are_searched(prompt: str) -> None:
    assert is_worth_searching(prompt)


@given(st.text())
def test_any_text_can_be_judged(text: str) -> None:
    assert is_worth_searching(text) in {True, False}
    assert is_worth_searching(f"{QUESTION} {text}")


@pytest.mark.parametrize("piece", ["<ide_selection>", "</ide_selection>", "/", "# ", "\n ", "!["])
def test_long_prompts_are_judged_quickly(piece: str) -> None:
    assert is_worth_searching(f"{piece * 100_000}\n{QUESTION}")


def is_worth_searching(prompt: str) -> bool:
    return find_obstacle(prompt) is None
