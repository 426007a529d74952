"""Setup steps undo exactly their own changes."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from hookwright.documentation import projects, registration
from hookwright.documentation.projects import ProjectRegistration
from hookwright.documentation.registration import Server
from hookwright.installer import client

OURS = Server("hookwright-docs", {"type": "stdio", "command": "/x"}, ())
SETTINGS = ".gemini/settings.json"


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[[ExitStack], None]:
    gemini = client.CLIENTS["gemini"]
    monkeypatch.setattr(projects, "list_others", lambda _: [gemini])
    project: Any = None  # unused, because the client list is patched

    def run(undo: ExitStack) -> None:
        steps = ProjectRegistration(OURS, commits=False)
        undo.push(steps.undo)
        steps.register_elsewhere(project)

    return run


def test_new_server_of_another_client_is_undone(register: Callable[[ExitStack], None]) -> None:
    with ExitStack() as undo:
        register(undo)
        assert OURS.name in (Path.home() / SETTINGS).read_text()
    assert not (Path.home() / SETTINGS).exists()


def test_existing_server_is_kept(register: Callable[[ExitStack], None]) -> None:
    registration.register(OURS, client.CLIENTS["gemini"])
    with ExitStack() as undo:
        register(undo)
    assert OURS.name in (Path.home() / SETTINGS).read_text()
