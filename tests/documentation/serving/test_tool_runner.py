"""Agents receive tool errors as one line."""

from pathlib import Path

import pytest

from hookwright_documentation.serving.tool_runner import MAX_ERROR, answer_call

from ...support.fake_documentation import ROUTING, SITE, FakeIndex

CALL = ("search_docs", {"database": "flask", "query": "client"})


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("first\nsecond\x1b[2J"), r"unexpected RuntimeError at .*: first\nsecond\x1b"),
        (PermissionError(13, "Permission denied", "/index"), "no permission for /index: "),
        (RuntimeError("x" * 10_000), "unexpected RuntimeError"),
    ],
)
def test_unexpected_error_is_one_line(
    flask: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    said: str,
) -> None:
    assert flask.exists()

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(FakeIndex, "search", fail)
    answer = answer_call(*CALL)
    assert answer.failed
    assert answer.text.isprintable()
    assert all(part in answer.text for part in said.split(".*"))
    assert len(answer.text) <= MAX_ERROR


def test_suggested_pages_are_quoted(flask: Path) -> None:
    assert flask.exists()
    answer = answer_call("read_page", {"url": f"{SITE}routin"})
    opening, _, first, *_, end = answer.text.splitlines()
    assert answer.failed
    assert opening.startswith(f"no database has the page {SITE}routin: use a URL that search_docs")
    assert ROUTING not in opening
    assert first.startswith("==== ")
    assert f"\n{ROUTING}\n" in answer.text
    assert end == first.removesuffix("1 of 1") + "end"
