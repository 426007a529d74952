"""The wizard asks about clients if this machine has clients other than Claude Code."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from hookwright.wizard.project import ask_clients, ask_hints

if TYPE_CHECKING:
    from hookwright.wizard.dialogue import Dialogue
    from hookwright.wizard.form import Form


@pytest.mark.parametrize(
    ("here", "answers"),
    [
        ([], {}),
        (["claude"], {}),
        (["codex"], {"clients": ["codex"]}),
        (["gemini", "claude"], {"clients": ["claude", "gemini"]}),
    ],
)
def test_clients_are_offered(
    monkeypatch: pytest.MonkeyPatch, here: list[str], answers: dict[str, Any]
) -> None:
    shown: list[str] = []

    def ask_several(_: str, choices: dict[str, str], chosen: list[str], *, least: int) -> list[str]:
        shown.extend(choices.values())
        return chosen[:] if len(chosen) >= least else []

    monkeypatch.setattr("shutil.which", lambda name: name if name in here else None)
    form = SimpleNamespace(dialogue=SimpleNamespace(ask_several=ask_several))
    assert ask_clients(cast("Form", form)) == answers
    assert not answers or any("codex - Codex CLI: no docsearch" in line for line in shown)


@pytest.mark.parametrize(
    ("clients", "asked", "answer"),
    [
        (["claude", "gemini"], [], {}),
        (["claude", "codex"], ["Codex CLI"], {"prompt_hints": False}),
        (["codex", "qwen"], ["Codex CLI and Qwen Code"], {"prompt_hints": True}),
    ],
)
def test_hints_are_offered_without_a_search_hook(
    clients: list[str], asked: list[str], answer: dict[str, bool]
) -> None:
    questions: list[str] = []

    def ask_yes(question: str, *, default: bool) -> bool:
        questions.append(question)
        return default

    dialogue = cast("Dialogue", SimpleNamespace(ask_yes=ask_yes))
    assert ask_hints(dialogue, clients) == answer
    assert questions == [
        f"No hook sees the searches of {names}. Add a line to prompts instead?" for names in asked
    ]
