"""Lesson candidates are found in the user's prompts and in failing and passing commands."""

from pathlib import Path

import pytest

from lesson_search.capture.rules import find_candidates
from lesson_search.capture.transcripts import read_sessions

from ...support.transcripts import Step, write_transcript

DENIED = ("fail", ("git push -f", "PreToolUse:Bash hook error: denied by policy: never force"))


def find(folder: Path, *steps: Step) -> list[tuple[str, str]]:
    sessions = read_sessions(write_transcript(folder / "s.jsonl", *steps))
    return [(candidate.rule, candidate.text) for candidate in find_candidates(sessions)]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Remember: the staging database is read-only.", "The staging database is read-only."),
        ("from now on use pnpm, not npm", "Use pnpm, not npm"),
        ("Merk dir: Migrationen laufen nur nachts.", "Migrationen laufen nur nachts."),
        ("We never commit to main directly.", "We never commit to main directly."),
        ("Fix the test. Always run make lint before.", "Always run make lint before."),
    ],
)
def test_rules_are_captured(tmp_path: Path, said: str, text: str) -> None:
    assert find(tmp_path, ("user", said)) == [("said", text)]


@pytest.mark.parametrize(
    "said",
    [
        "for now use the old endpoint, always",
        "> Remember: this is quoted\nplease fix the test",
        "```\n# Remember: this is pasted\n```\nplease fix the test",
        "/review Remember: this is a command",
        "do you remember: what did we do there?",
        "- Always A b c\n- Never d e f\n- Always g h i",
    ],
)
def test_transient_or_untyped_text_is_ignored(tmp_path: Path, said: str) -> None:
    assert find(tmp_path, ("user", said)) == []


def test_only_user_text_is_captured(tmp_path: Path) -> None:
    rule = "Remember: all tests must use pnpm in this repo."
    steps = [("answer", rule), ("reminder", rule), ("subagent", rule), ("run", ("cat x", rule))]
    assert find(tmp_path, *steps) == []


def test_corrections_must_follow_an_action(tmp_path: Path) -> None:
    correction = "No, we use pnpm here, npm breaks the lock file"
    action = ("run", ("npm install", "added 3 packages"))
    assert find(tmp_path, action, ("user", correction)) == [("corrected", correction)]
    assert find(tmp_path, ("user", correction)) == []
    assert find(tmp_path, action, ("user", "no, the other button please")) == []


def test_repeatedly_denied_commands_are_captured(tmp_path: Path) -> None:
    assert find(tmp_path, DENIED, DENIED) == []
    [(rule, text)] = find(tmp_path, DENIED, DENIED, DENIED, DENIED)
    assert rule == "denied"
    assert text.startswith("Git push -f is denied:")


def test_fixed_commands_are_captured(tmp_path: Path) -> None:
    fails = ("fail", ("pytest billing", "E  KeyError: 'DATABASE_URL'"))
    passes = ("run", ("DATABASE_URL=x pytest billing", "3 passed"))
    [(rule, text)] = find(tmp_path, fails, passes)
    assert rule == "fixed"
    assert "DATABASE_URL=x pytest billing" in text
    assert find(tmp_path, fails, ("run", ("pytest billing", "3 passed"))) == []
    started = ("run", ("docker compose up -d db", "started"))
    [(_, text)] = find(tmp_path, fails, started, ("run", ("pytest billing", "3 passed")))
    assert "docker compose up -d db" in text


def test_same_fix_in_another_session_is_further_evidence(tmp_path: Path) -> None:
    fails = ("fail", ("pytest tests", "ModuleNotFoundError: No module named 'psycopg2'"))
    fix, passes = ("run", ("pip install psycopg2", "ok")), ("run", ("pytest tests", "3 passed"))
    paths = [
        write_transcript(tmp_path / f"{name}.jsonl", fails, *fixes, passes, fails, *fixes, passes)
        for name, fixes in (("a", [fix]), ("b", [("run", ("make deps", "ok"))]))
    ]
    sessions = [session for path in paths for session in read_sessions(path)]
    first, second = find_candidates(sessions)
    assert first.text == second.text
    assert first.session != second.session


def test_error_that_mentions_a_denial_is_not_one(tmp_path: Path) -> None:
    broken = ("fail", ("cat a", "cat: a: Permission denied: blocked by policy"))
    assert find(tmp_path, broken, broken, broken) == []


def test_stated_rule_is_not_a_correction_too(tmp_path: Path) -> None:
    action = ("run", ("npm install", "added 3 packages"))
    said = "No, always use pnpm here, npm breaks the lock file"
    assert [rule for rule, _ in find(tmp_path, action, ("user", said))] == ["said"]


def test_word_after_a_program_makes_another_command(tmp_path: Path) -> None:
    assert find(tmp_path, ("fail", ("make", "error: no rule")), ("run", ("make all", "ok"))) == []


def test_failures_that_lie_far_back_are_forgotten(tmp_path: Path) -> None:
    others = [("fail", (f"job {number:03} x", f"error: {'ab' * number}")) for number in range(99)]
    first, fixed = ("fail", ("cd app x", "error: first")), ("run", ("A=1 cd app x", "ok"))
    assert [rule for rule, _ in find(tmp_path, first, fixed)] == ["fixed"]
    assert find(tmp_path, first, *others, fixed) == []
