"""The reported version is the version of the running program."""

import pytest

from hookwright_console.version import find_version


def test_version_stays_constant_while_running(monkeypatch: pytest.MonkeyPatch) -> None:
    before = find_version()
    monkeypatch.setattr("importlib.metadata.version", lambda _: "99.0")
    assert find_version() == before != "99.0"
