"""Fetches and shell commands are routed in the real client."""

from pathlib import Path

import pytest

from ..support.project import render
from .clients.claude import DELEGATE, Claude
from .routes import API, ISSUE, PULL_REQUEST, bash, fetch

ROUTES = {
    "pull-request": PULL_REQUEST,
    "issue": ISSUE,
    "api": API,
    "api-once": {
        "tool": "Bash",
        "pattern": r"\bwget\b.*//(?P<host>[\w.]+)",
        "message": "Better: mirror {host}",
        "once": True,
    },
    "docs": {
        "pattern": r"^https://docs\.example\.com/",
        "action": "warn",
        "message": "Known: the same page is in /usr/share/doc",
    },
    "printing": {
        "tool": "Bash",
        "pattern": r"\becho hello",
        "action": "warn",
        "message": "Known: printf is more portable",
    },
    "lab": {
        "pattern": r"^https://lab\.example\.com/(?P<page>\w+)",
        "message": "Better: hookwright-lab {page}",
        "requires": "hookwright-lab",
    },
    "our-pull-requests": {"pattern": r"^https://github\.com/ours/", "action": "allow"},
}

PULL = fetch("https://github.com/octo/hello/pull/42")
PULL_TOLD = "Better: gh pr view 42 --repo octo/hello"
ISSUE_7 = fetch("https://github.com/octo/hello/issues/7")
ISSUE_8 = fetch("https://github.com/octo/hello/issues/8")
CURL = bash("cd x && curl -s https://api.github.com/users")
LAB = fetch("https://lab.example.com/results")


@pytest.fixture(scope="module")
def project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(template, tmp_path_factory.mktemp("routes") / "my-hooks", routes=ROUTES)


def test_blocked_fetch_is_reported_once(installed_each_way: Claude) -> None:
    run = installed_each_way.converse([PULL], [bash("echo next")])
    assert run.errors == [[True], [False]]
    assert PULL_TOLD in run.main[0].results[0].text
    assert run.last.count("Better:") == 1


def test_blocked_commands_are_reported_once(installed: Claude) -> None:
    commands = [
        "curl -s https://api.github.com/users",
        "cd x && curl https://api.github.com/users | head -n 1",
        'echo "the users: $(curl -s https://api.github.com/users)"',
        'curl -H "Accept: application/json" \\\n  https://api.github.com/users',
    ]
    run = installed.converse(*([bash(command)] for command in (*commands, "echo next")))
    *blocked, after = run.main
    for decision in blocked:
        assert "Better: gh api users" in decision.results[0].text
    assert run.errors == [[True]] * len(commands) + [[False]]
    assert "Better" not in after.text
    assert run.last.count("Better:") == len(commands)


def test_commands_mentioning_a_blocked_one_run(installed: Claude) -> None:
    commands = [
        'echo "no more curl https://api.github.com/users, please"',
        "cat << 'EOF'\nno more curl https://api.github.com/users, please\nEOF",
        (
            "git init -q && git -c user.name=me -c user.email=me@localhost commit --allow-empty "
            "-qm 'no more curl https://api.github.com/users, please' && git log -1 --format=%s"
        ),
        "echo no more, please # curl https://api.github.com/users",
    ]
    run = installed.converse(*([bash(command)] for command in commands))
    assert run.errors == [[False]] * len(commands)
    for decision in run.main:
        assert decision.results[0].text.startswith("no more")
        assert "Better" not in decision.text


def test_allow_route_takes_precedence_and_warnings_let_calls_through(installed: Claude) -> None:
    run = installed.converse(
        [fetch("https://github.com/ours/hello/pull/42")],
        [PULL],
        [fetch("https://docs.example.com/a")],
        [bash("echo hello")],
        [bash("echo next")],
    )
    allowed, blocked, page, command, later = run.main
    assert "hook" not in allowed.text
    assert PULL_TOLD in blocked.text
    assert run.last.count("Better:") == 1
    assert "Unable to verify" in page.results[0].text  # the client cannot reach claude.ai
    assert "Known: the same page is in /usr/share/doc" in page.notes
    assert [(result.text, result.error) for result in command.results] == [("hello", False)]
    assert "Known: printf is more portable" in command.notes
    assert later.errors == [False]
    assert run.last.count("Known:") == 2


def test_warning_does_not_grant_permission(
    installed: Claude, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.e2e.clients.claude.ALLOWED_TOOLS", "WebFetch")
    (decision,) = installed.converse([bash("echo hello > made")]).main
    assert decision.errors == [True]
    assert "Known: printf is more portable" in decision.notes
    assert not (installed.home / "work" / "made").exists()


def test_identical_call_is_allowed_once(installed: Claude) -> None:
    command = "wget --version || echo //example.com"
    blocked, other, repeated, again, denied, renamed = installed.converse(
        *([ISSUE_7], [ISSUE_8], [ISSUE_7], [ISSUE_7]),
        [bash(command, "Fetch the page")],
        [bash(command, "Fetch it anyway")],
    ).main
    assert "gh issue view 7" in blocked.results[0].text
    assert "repeat the identical WebFetch call" in blocked.results[0].text
    assert "gh issue view 8" in other.results[0].text
    assert "Unable to verify" in repeated.results[0].text
    assert "Better" not in repeated.text
    assert "gh issue view 7" in again.results[0].text
    assert "Better: mirror example.com" in denied.results[0].text
    assert "Better" not in renamed.text
    assert renamed.errors == [False]


def test_route_applies_once_its_command_exists(
    installed: Claude, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Better" not in installed.converse([LAB]).last
    stub = tmp_path / "bin" / "hookwright-lab"
    stub.parent.mkdir()
    stub.write_text("#!/bin/sh\necho the stub\n")
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", str(stub.parent), prepend=":")
    blocked, followed = installed.converse([LAB], [bash("hookwright-lab results")]).main
    assert "Better: hookwright-lab results" in blocked.results[0].text
    assert followed.results[0].text == "the stub"


def test_parallel_calls_get_separate_reasons_and_can_be_repeated(installed: Claude) -> None:
    issues = [ISSUE_7, ISSUE_8]
    run = installed.converse([PULL, CURL, bash("echo fine")], issues, issues)
    decision, blocked, repeated = run.main
    pull, curl, echo = decision.results
    assert decision.errors == [True, True, False]
    assert PULL_TOLD in pull.text
    assert "Better: gh api users" in curl.text
    assert echo.text == "fine"
    assert run.last.count("Better:") == 4
    assert ["Better" in result.text for result in blocked.results] == [True, True]
    assert ["Better" in result.text for result in repeated.results] == [False, False]


def test_subagent_gets_the_same_reason_and_its_own_repetition(installed: Claude) -> None:
    script = [[PULL, CURL, bash("echo hello")], [ISSUE_7]]
    run = installed.converse([DELEGATE], [ISSUE_7], [ISSUE_7], subagent_script=script)
    decision, repeated = run.subagents[0]
    pull, curl, echo = decision.results
    assert PULL_TOLD in pull.text
    assert "Better: gh api users" in curl.text
    assert echo.text == "hello"
    assert decision.notes.count("Known: printf is more portable") == 1

    assert "Better" in repeated.text
    assert ["Better" in decision.results[0].text for decision in run.main[1:]] == [True, False]
