"""The questions about a database report errors in plain language."""

import io
import sys

import pytest

from hookwright.template.store import find_template
from hookwright.wizard.databases import ask_domains
from hookwright.wizard.form import Form


@pytest.mark.parametrize(
    ("typed", "wrong"), [("x", "x"), ("[go.dev, pkg.go.dev]", "[go.dev"), ("go.dev, a/b", "a/b")]
)
def test_invalid_host_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, wrong: str
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{typed}\ngo.dev, pkg.go.dev\n"))
    form = Form(find_template(), {})
    assert ask_domains(form, {}) == {"domains": ["go.dev", "pkg.go.dev"]}
    message = f'! "{wrong}" is not a host: type hosts such as go.dev, pkg.go.dev\n'
    assert message in capsys.readouterr().out


def test_host_is_taken_from_a_pasted_url(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "https://redis.io/docs, http://docs.acme.example:80/?q#x, redis.io\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    form = Form(find_template(), {})
    assert ask_domains(form, {}) == {"domains": ["redis.io", "docs.acme.example"]}
