"""What an agent gets of an error."""

from pathlib import Path

import pytest

from hookwright_documentation.serving.mcp_server import LONGEST_ERROR, answer_call
from hookwright_documentation.serving.open_databases import OpenDatabases

from ...support.fake_documentation import FakeIndex

CALL = ("search_docs", {"database": "flask", "query": "client"})


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("first\nsecond\x1b[2J"), r"unexpected RuntimeError at .*: first\nsecond\x1b"),
        (PermissionError(13, "Permission denied", "/index"), "/index: Permission denied"),
        (RuntimeError("x" * 10_000), "unexpected RuntimeError"),
    ],
)
def test_unexpected_error_is_one_line(
    flask: Path,
    databases: OpenDatabases,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    said: str,
) -> None:
    """An error that nobody expected ends the call, not the server, and has no traceback."""
    assert flask.exists()

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(FakeIndex, "search", fail)
    text, failed = answer_call(databases, *CALL)
    assert failed
    assert text.isprintable()
    assert all(part in text for part in said.split(".*"))
    assert len(text) <= LONGEST_ERROR
