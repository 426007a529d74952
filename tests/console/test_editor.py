"""The editor reopens until its text is valid, up to a limit."""

import io
import shlex
import sys

import pytest

from hookwright_console.editor import edit_text
from hookwright_console.errors import RefusedError, ReportedError

SCRIPT = shlex.join([sys.executable, "-c", "import sys; open(sys.argv[1], 'a').write('x')"])


@pytest.mark.parametrize(("typed", "openings"), [("n\n", 3), ("y\nn\n", 6), ("", 3)])
def test_repeated_refusal_ends_the_editor(
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    openings: int,
) -> None:
    monkeypatch.setenv("VISUAL", SCRIPT)
    terminal = io.StringIO(typed)
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)
    taken: list[str] = []
    messages: list[str] = []

    def take(text: str) -> None:
        taken.append(text)
        raise RefusedError("it is wrong")

    with pytest.raises(ReportedError, match="nothing changed"):
        edit_text("a", ".txt", take, messages.append)
    assert len(taken) == openings
    assert set(messages[:-1]) == {"it is wrong"}
