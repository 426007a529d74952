"""Test that the action_lessons hook ends quickly, and never sends secrets."""

from typing import Any

FAILURE = {"hook_event_name": "PostToolUseFailure", "session_id": "test", "tool_name": "Bash"}


def test_other_events_get_nothing(run_hook: Any) -> None:
    for event in (FAILURE, {**FAILURE, "hook_event_name": "SessionStart"}, "no event"):
        answer = run_hook("action_lessons", event, loaded="action_lessons_answer")
        assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")


def test_possible_secret_is_not_sent_to_the_server(load_hook: Any) -> None:
    hook = load_hook("action_lessons_answer")
    kept = hook.keep_words(
        "Exit code 1\ncannot read /home/me/a.pem: password=abc123 is not accepted"
    )
    assert kept == "cannot read a.pem password"
