"""What an agent gets of an error."""

from pathlib import Path

import pytest

from hookwright_documentation.serving.mcp_server import LONGEST_ERROR, answer_call
from hookwright_documentation.serving.open_databases import OpenDatabases

from ...support.fake_documentation import ROUTING, SITE, FakeIndex

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


def test_nearest_pages_are_quoted(flask: Path, databases: OpenDatabases) -> None:
    """URLs of a site stand between lines of the server in an error, too."""
    assert flask.exists()
    text, failed = answer_call(databases, "read_page", {"url": f"{SITE}routin"})
    opening, _, first, *_, end = text.splitlines()
    assert failed
    assert opening.startswith(f"no database has the page {SITE}routin: use a URL that search_docs")
    assert ROUTING not in opening
    assert first.startswith("==== ")
    assert f"\n{ROUTING}\n" in text
    assert end == first.removesuffix("1 of 1") + "end"
