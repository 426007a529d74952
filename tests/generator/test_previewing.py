"""A preview is what the real hook says, and leaves nothing behind."""

import io
import json
from pathlib import Path

import pytest

import hookwright.previewing
from hookwright.asking import ask_text, split_words
from hookwright.cli.new import make
from hookwright.previewing import ask_hook
from hookwright.refusal import RefusedError
from hookwright.scaffold import keep_template
from installer import snapshot
from project import run_hook, search_event


def test_preview_is_what_the_agent_gets(project: Path, tmp_path: Path) -> None:
    """The reason and the context are those of the hook, each time anew."""
    hook = project / "hooks" / "docsearch.py"
    answer = run_hook(hook, search_event("gitlab runner"), tmp_path)
    before = snapshot(Path.home())
    for _ in range(2):
        told = ask_hook(hook.read_bytes(), "WebSearch", {"query": "gitlab runner"})
        assert told == "\n".join([answer.reason, answer.output["additionalContext"]])
    assert ask_hook(hook.read_bytes(), "WebSearch", {"query": "svn"}) == ""
    assert snapshot(Path.home()) == before


@pytest.mark.parametrize("printed", ["x", "5", "{}", '{"hookSpecificOutput": 5}', '"\\ud800"'])
def test_what_is_no_decision_is_told(printed: str) -> None:
    """A hook that says something else is no reason for a traceback."""
    with pytest.raises(RefusedError, match="the hook answers what is no decision"):
        ask_hook(f"print({printed!r})".encode(), "WebSearch", {"query": "x"})


def test_hook_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a pattern that never ends."""
    monkeypatch.setattr(hookwright.previewing, "LONGEST", 0.5)
    with pytest.raises(RefusedError, match=r"takes more than 0\.5 s for this call"):
        ask_hook(b"while True: pass", "WebSearch", {"query": "x"})


def test_refused_answers_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a user was asked for is kept in a file where a template refuses it after all."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    answers = {"databases": ["x"]}
    with pytest.raises(RefusedError, match="your answers are kept, for --data-file ") as refused:
        make(tmp_path / "ours", answers, str(keep_template()), asked=True)
    assert json.loads(Path(str(refused.value).rpartition(" ")[2]).read_text()) == answers
    assert not (tmp_path / "ours").exists()


def test_nothing_is_asked_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that nobody can see is refused."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(RefusedError, match="there is no terminal to ask at"):
        ask_text("Really?")


def test_words_stand_between_commas() -> None:
    """Each word counts once, however they are spaced."""
    assert split_words(" gitlab ci,glab ,, glab") == ["gitlab ci", "glab"]
