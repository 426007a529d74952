"""Secrets in a text are noticed, and what only looks like one is not."""

import json
import random
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson_search.credentials import find_secret
from lesson_search.evaluation import LABELLED
from project import ROOT


def draw(length: int, characters: str = string.ascii_letters + string.digits) -> str:
    """Return the same random characters each time, so that no real-looking key stands here."""
    return "".join(random.Random(length).choices(characters, k=length))  # noqa: S311 - no secret


BASE32 = string.ascii_uppercase + "234567"
LONG = draw(36)
JWT = f"eyJ{draw(20)}.eyJ{draw(40)}.{draw(43)}"
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{draw(64)}\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("secret", "kind"),
    [
        ("AKIA" + draw(16, BASE32), "an AWS access key"),
        ("aws_secret_access_key = " + draw(40), "a password or key"),
        ("ghp_" + LONG, "a GitHub token"),
        ("github_pat_" + draw(22) + "_" + draw(59), "a GitHub token"),
        ("glpat-" + draw(20), "a GitLab token"),
        ("xoxb-" + draw(12, string.digits) + "-" + draw(24), "a Slack token"),
        ("AIza" + draw(35), "a Google API key"),
        ("sk_live_" + draw(24), "a Stripe key"),
        ("npm_" + LONG, "an npm token"),
        ("sk-" + draw(48), "an OpenAI or Anthropic key"),
        ("sk-proj-" + draw(48), "an OpenAI or Anthropic key"),
        ("sk-ant-api03-" + draw(80), "an OpenAI or Anthropic key"),
        (JWT, "a JSON Web Token"),
        (PEM, "a private key"),
        (PEM.replace("\n", "\\n"), "a private key"),
        ('password = "' + draw(14) + '"', "a password or key"),
        ("DB_PASSWORD=" + draw(14), "a password or key"),
        ('"api_key": "' + draw(32) + '"', "a password or key"),
        ("postgres://app:" + draw(9) + "@db.internal/app", "a password in a URL"),
    ],
)
def test_secret_is_noticed(secret: str, kind: str) -> None:
    """A secret is noticed in the middle of a text, and its kind does not give it away."""
    assert find_secret(f"We had to run this:\n`{secret}` and then deploy.") == kind


@pytest.mark.parametrize(
    "text",
    [
        "",
        "AKIAIOSFODNN7EXAMPLE is the key in the documentation",
        "tokens begin with ghp_, glpat- or sk-ant-",
        "ghp_" + "x" * 36,
        "import sk-learn-model-v2-baseline-final",
        "The key must begin with -----BEGIN PRIVATE KEY----- or it is not read",
        "postgres://user:password@localhost/db",
        "postgres://postgres:postgres@localhost/db",
        "https://${USER}:${TOKEN}@gitlab.com/acme/app.git",
        "http://localhost:8080/@scope/package",
        'password = "correct horse battery staple"',
        'password = os.environ["DB_PASSWORD_1"]',
        "password: ${{ secrets.NPM_TOKEN_2 }}",
        "PASSWORD=$DB_PASSWORD_2",
        "api_key=settings.openai_key_2",
        "password_file: /run/secrets/db2_password",
        "password = your-password-123",
        "secret: vault:kv/data/app1#Password",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    ],
)
def test_what_stands_for_a_secret_is_none(text: str) -> None:
    """An explanation, a reference or an example is no secret."""
    assert find_secret(text) is None


@pytest.mark.parametrize("path", [LABELLED, ROOT / "benchmarks" / "held-out"], ids=lambda p: p.name)
@pytest.mark.parametrize(("file", "field"), [("lessons", "text"), ("questions", "prompt")])
def test_no_labelled_text_has_a_secret(path: Path, file: str, field: str) -> None:
    """None of the labelled lessons and questions, many about secrets, is taken for one."""
    rows = map(json.loads, (path / f"{file}.jsonl").read_text("utf-8").splitlines())
    assert [row[field] for row in rows if find_secret(row[field])] == []


@given(st.text())
def test_any_text_is_searched(text: str) -> None:
    """Any text has a kind of secret or none."""
    assert find_secret(text) in {None, "a password or key", "a password in a URL"}
