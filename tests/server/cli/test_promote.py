"""A lesson about a command or URL can become a route of the current project."""

import json
import re
from pathlib import Path

import pytest

from ...support.command_line import CommandLine

PUSH = "Never `git push --force` to a shared branch: `git push --force-with-lease` asks first."


@pytest.fixture
def propose(command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.chdir(tmp_path)  # contains no project, so nothing is added

    def run(text: str, *words: str) -> dict[str, str]:
        command_line.output("add", text, "--force")
        (lesson,) = map(json.loads, command_line.output("export").splitlines())
        completed = command_line.run("promote", lesson["id"], *words)
        command_line.output("delete", lesson["id"], "--yes")
        assert completed.code == 1, completed
        lines = [line.partition(" ") for line in completed.output.splitlines()]
        assert lines or not completed.output
        shown = {name: value.strip() for name, _, value in lines}
        return {**shown, "error": completed.errors}

    return run


def test_route_blocks_what_the_lesson_warns_about(propose: object) -> None:
    for text, pattern, block, allow in [
        (
            PUSH,
            r"(?<![\w./-])git\s+push(?![\w-])(?=[^\n;&|]{0,300}?\s\-\-force(?![\w-]))",
            "git push --force",
            "git push --force-with-lease",
        ),
        (
            "`npm install` breaks the lock file in the pipeline. Use `npm ci --no-audit`.",
            r"(?<![\w./-])npm\s+install(?![\w-])",
            "npm install",
            "npm ci --no-audit",
        ),
        (
            "`sh report.sh --month May` fails with: no rates\nWhat helped: `make rates`",
            r"(?<![\w./-])sh\s+report\.sh(?![\w-])(?=[^\n;&|]{0,300}?\s\-\-month(?![\w-]))",
            "sh report.sh --month May",
            "make rates",
        ),
        (
            "Never run git push --force on main. Please do use git push instead.",
            r"(?<![\w./-])git\s+push(?![\w-])(?=[^\n;&|]{0,300}?\s\-\-force(?![\w-]))",
            "git push --force",
            "git push",
        ),
        (
            "Don't read https://wiki.acme.example/pages/17, it is from 2019.",
            r"^https?://wiki\.acme\.example/pages/\d+(?:[/?#]|$)",
            "https://wiki.acme.example/pages/17",
            "https://wiki.acme.example.example/",
        ),
        (
            "Never use https://10.1.2.3:8080/x7, it is gone.",
            r"^https?://10\.1\.2\.3:8080/x\d+(?:[/?#]|$)",
            "https://10.1.2.3:8080/x7",
            "https://10.1.2.3:8080.example/",
        ),
    ]:
        shown = propose(text)  # type: ignore[operator]
        assert (shown["pattern"], shown["block"], shown["allow"]) == (pattern, block, allow)
        assert shown["message"] == " ".join(text.split())
        assert shown["tool"] == ("WebFetch" if "://" in block else "Bash")
        assert "project" in shown["error"]


def test_lesson_without_a_command_cannot_become_a_route(propose: object) -> None:
    for text, words, error in [
        ("Use `npm ci` in the pipeline.", (), "does not say what to avoid"),
        ("Cache the gems below vendor.", (), "does not say what to avoid"),
        (
            "`sh a.sh 5` fails without TOKEN. What helped: `TOKEN=x sh a.sh 5`",
            (),
            "matches 'TOKEN=x sh a.sh 5': use a pattern with --pattern",
        ),
        (PUSH, ("--pattern", "git (push"), "missing ), unterminated subpattern: add the )"),
        (PUSH, ("--pattern", "svn"), "does not match 'git push --force'"),
        (PUSH, ("--pattern", "a{99999999999999}"), "the repetition number is too large"),
        (PUSH, ("--pattern", "(a+)+b!$", "--block", "a" * 60), "can backtrack without end"),
        ("Use `npm ci`.", ("--block", "   "), "does not say what to avoid"),
    ]:
        message = propose(text, *words)["error"]  # type: ignore[operator]
        assert error in message
        assert message.count("\n") == 1


def test_blocked_command_can_be_specified(propose: object) -> None:
    shown = propose("Use `npm ci --no-audit`.", "--block", "npm install -g pnpm")  # type: ignore[operator]
    assert (
        shown["pattern"] == r"(?<![\w./-])npm\s+install(?![\w-])(?=[^\n;&|]{0,300}?\s\-g(?![\w-]))"
    )
    assert shown["allow"] == "npm ci --no-audit"


def test_option_of_another_command_is_not_blocked(propose: object) -> None:
    pattern = propose("Never `curl x -s`.")["pattern"]  # type: ignore[operator]
    assert re.search(pattern, "curl -L x -s") is None
    assert re.search(pattern, "curl x -L -s")
    for command in ("curl x; ls -s", "curl x\nls -s", "curl x && ls -s", "curl x | ls -s"):
        assert re.search(pattern, command) is None
    assert re.search(pattern, "curl x " * 20_000) is None


def test_route_is_added_to_the_project(
    command_line: CommandLine, started: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(started)
    command_line.output("add", PUSH, "--category", "devops/git")
    (lesson,) = map(json.loads, command_line.output("export").splitlines())
    command_line.output("promote", lesson["id"], "--yes")
    answers = (started / ".copier-answers.yml").read_text()
    assert "git push --force-with-lease" in answers
    assert "expect: allow" in answers or '"expect": "allow"' in answers
    assert (started / "hooks" / "tool_routing.py").exists()


@pytest.mark.parametrize(
    ("title", "begin"), [("Pushing", "Pushing: Never"), ("Do not push.", "Do not push. Never")]
)
def test_title_is_separated_in_the_message(propose: object, title: str, begin: str) -> None:
    assert propose(f"{title}\n\n{PUSH}")["message"].startswith(begin)  # type: ignore[operator]
