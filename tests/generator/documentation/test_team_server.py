"""Records are built from a team server's description of its databases."""

from pathlib import Path
from typing import Any

import pytest

from hookwright.documentation.team_server import (
    MAX_TEXT,
    build_record,
    build_team_server,
    find_address,
    is_readable,
    list_shared,
    read_row,
)
from hookwright_console.errors import RefusedError, ReportedError

from ...support.certificates import certify, trust_nobody
from ...support.documentation_site import Site, serving

URL = "https://docs.team.example/mcp"
ROW: dict[str, Any] = {
    "name": "gitlab",
    "keywords": ["gitlab", "gitlab ci"],
    "title": "gitlab documentation",
    "prefix": "https://docs.gitlab.com/",
    "version": "17.1",
    "pages": 12,
}


@pytest.fixture
def _token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOOKWRIGHT_DOCS_TOKEN", "s3cret")


@pytest.mark.parametrize(
    "given", ["https://docs.team.example", "https://docs.team.example/", URL, f"{URL}/"]
)
def test_tool_address_is_found(given: str) -> None:
    assert find_address(given) == URL


@pytest.mark.parametrize(
    "given",
    ["docs.team.example", "ftp://x", "https://", "https://x:y", "https://x?a", "https://a\nb", ""],
)
def test_malformed_address_is_rejected(given: str) -> None:
    with pytest.raises(RefusedError, match="expected a URL with https://") as refused:
        find_address(given)
    assert str(refused.value).isprintable()


def test_password_in_an_address_is_rejected() -> None:
    with pytest.raises(RefusedError, match="holds a password: set HOOKWRIGHT_DOCS_TOKEN"):
        find_address("https://me:secret@docs.team.example")


@pytest.mark.parametrize(
    ("address", "readable"),
    [
        (URL, False),
        ("http://127.0.0.1:7731/mcp", False),
        ("http://localhost/mcp", False),
        ("http://[::1]:7731/mcp", False),
        ("http://10.0.0.5:7731/mcp", True),
        ("http://localhost.example/mcp", True),
    ],
)
def test_token_over_plain_http_is_detected(address: str, *, readable: bool) -> None:
    assert is_readable(address) is readable


@pytest.mark.usefixtures("_token")
def test_token_stays_in_the_environment() -> None:
    entry = build_team_server("team-docs", URL, "HOOKWRIGHT_DOCS_TOKEN").entry
    assert entry["headers"] == {"Authorization": "Bearer ${HOOKWRIGHT_DOCS_TOKEN}"}
    assert "headers" not in build_team_server("team-docs", URL, "OTHER_TOKEN").entry


def test_untrusted_company_certificate_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, context = certify(tmp_path)
    with serving(Site({}), context) as site:
        server = build_team_server("team-docs", find_address(site.url), "X")
        trust_nobody(monkeypatch)
        with pytest.raises(ReportedError, match="not trusted: set SSL_CERT_FILE to your company's"):
            list_shared(server, "X")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        with pytest.raises(ReportedError, match="check the address, and that the server runs"):
            list_shared(server, "X")


@pytest.mark.parametrize("name", ["", "a b", "a__b", "-a", "a" * 41, "x\n"])
def test_server_name_must_fit_tool_names(name: str) -> None:
    with pytest.raises(RefusedError, match="--server: expected letters, digits and hyphens"):
        build_team_server(name, URL, "X")


def test_record_uses_the_servers_tool() -> None:
    server = build_team_server("team-docs", URL, "X")
    assert build_record(read_row(ROW, server), server) == {
        "keywords": ["gitlab", "gitlab ci"],
        "path": URL,
        "mcp_tool_name": "mcp__team-docs__search_docs",
        "arguments": {"database": "gitlab"},
        "description": "gitlab documentation",
        "domains": ["docs.gitlab.com"],
    }


def test_invalid_database_is_rejected() -> None:
    rows: list[object] = [
        None,
        [],
        {},
        {**ROW, "name": "../x"},
        {**ROW, "name": "A"},
        {**ROW, "name": None},
        {**ROW, "keywords": []},
        {**ROW, "keywords": "gitlab"},
        {**ROW, "keywords": [None, "\u200b"]},
        {**ROW, "pages": "12"},
        {**ROW, "pages": True},
    ]
    for row in rows:
        server = build_team_server("team-docs", URL, "X")
        with pytest.raises(RefusedError, match="lists an invalid database") as refused:
            read_row(row, server)
        assert str(refused.value).isprintable()


def test_hidden_server_text_is_removed() -> None:
    hostile = {
        **ROW,
        "title": "a\u200b\n\x1b[2Jb" + "c" * 1_000,
        "keywords": ["git\u202elab"] * 999,
    }
    shared = read_row(hostile, build_team_server("team-docs", URL, "X"))
    assert shared.title.isprintable()
    assert shared.title.startswith("a [2Jb")
    assert len(shared.title) <= MAX_TEXT
    assert set(shared.keywords) == {"gitlab"}
    assert len(shared.keywords) == 100


def test_unreachable_server_is_reported() -> None:
    server = build_team_server("team-docs", "http://127.0.0.1:9/mcp", "X")
    with pytest.raises(ReportedError) as refused:
        list_shared(server, "X")
    message = str(refused.value)
    assert message.startswith("the server team-docs cannot be reached at http://127.0.0.1:9/mcp: ")
    assert message.endswith(": check the address, and that the server runs")
    assert message.count("check the address") == 1
