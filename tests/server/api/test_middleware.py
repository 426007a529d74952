"""Only allowed callers reach the server; all others are rejected."""

from base64 import b64encode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from lesson_search.api.middleware import Tokens
from lesson_search.server.application import build_app
from lesson_search.service.lesson_service import LessonService

URL = "http://127.0.0.1:7731"
PROTECTION = {
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def read_status(api: TestClient, path: str = "/api/health", **headers: str) -> int:
    """Return the response status for these headers; check that a rejection is one line of JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    response = api.get(path, headers=named)
    if response.status_code >= 400:
        assert list(response.json()) == ["detail"]
        assert "\n" not in response.json()["detail"]
    return response.status_code


@pytest.mark.parametrize("host", ["127.0.0.1:7731", "localhost", "LOCALHOST:80", "[::1]:7731"])
def test_own_host_names_are_accepted(api: TestClient, host: str) -> None:
    assert read_status(api, host=host) == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil", "127.0.0.1:x", "", "[::1"]
)
def test_other_host_names_are_rejected(api: TestClient, host: str) -> None:
    for path in ("/api/health", "/docs", "/openapi.json", "/nothing"):
        assert read_status(api, path, host=host) == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:7731", URL[:-1]]
)
def test_other_origins_are_rejected(api: TestClient, origin: str) -> None:
    assert read_status(api, origin=origin) == 403
    response = api.post(
        "/api/ingest",
        content=b'{"text": "x"}',
        headers={"origin": origin, "content-type": "application/json"},
    )
    assert response.status_code == 403
    assert api.get("/api/health").json()["lesson_count"] == 0


def test_own_origin_is_accepted(api: TestClient) -> None:
    assert read_status(api, origin=URL, sec_fetch_site="same-origin") == 200
    assert read_status(api, sec_fetch_site="none") == 200
    assert read_status(api, sec_fetch_site="cross-site") == 403
    assert read_status(api, sec_fetch_site="same-site") == 403


def test_form_post_is_rejected(api: TestClient) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None):
        headers = {"content-type": kind} if kind else {}
        response = api.post("/api/ingest", content=b'{"text": "x"}', headers=headers)
        assert response.status_code == 422


def test_configured_token_is_required(service: LessonService) -> None:
    api = TestClient(
        build_app(service, None, Tokens("s3cret token")), base_url="http://team.example"
    )
    assert read_status(api, authorization="Bearer s3cret token") == 200
    assert read_status(api, authorization="bearer s3cret token") == 200
    for name in ("", "me"):  # browsers send these headers
        sent = b64encode(f"{name}:s3cret token".encode()).decode()
        assert read_status(api, authorization=f"Basic {sent}") == 200
    assert read_status(api, authorization=f"Basic {b64encode(b'me:other').decode()}") == 401
    assert read_status(api) == 401
    for wrong in ("Bearer s3cret", "Bearer", "Basic s3cret token", "s3cret token", "Bearer \t"):
        assert read_status(api, authorization=wrong) == 401
    assert read_status(api, "/openapi.json") == 401


def test_large_body_is_rejected(api: TestClient) -> None:
    large = b"x" * 33_000_000
    for body in (large, iter([large])):
        response = api.post(
            "/api/query", content=body, headers={"content-type": "application/json"}
        )
        assert response.status_code == 413
        assert "too large" in response.json()["detail"].lower()


@example(b"{}", "recategorize")
@given(st.binary(max_size=200), st.sampled_from(["query", "ingest", "ingest/bulk", "recategorize"]))
def test_any_body_is_answered(api: TestClient, body: bytes, path: str) -> None:
    response = api.post(f"/api/{path}", content=body, headers={"content-type": "application/json"})
    if response.is_success:
        assert path == "recategorize"  # the only path without a required field
    else:
        assert 400 <= response.status_code < 500
        assert "\n" not in response.json()["detail"]


@pytest.mark.parametrize(
    "body", [b"[" * 100_000, b'{"prompt": "x", "top_k": ' + b"9" * 5000 + b"}"]
)
def test_deep_and_long_bodies_are_rejected(api: TestClient, body: bytes) -> None:
    response = api.post("/api/query", content=body, headers={"content-type": "application/json"})
    assert 400 <= response.status_code < 500


def test_websockets_are_not_supported(api: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), api.websocket_connect("/api/query"):
        pass


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/api/health", True),
        ("GET", "/api/lessons", True),
        ("POST", "/api/query", True),
        ("POST", "/api/explain", True),
        ("POST", "/hooks/user-prompt-submit", True),
        ("POST", "/mcp", True),
        ("POST", "/api/ingest", False),
        ("POST", "/api/ingest/bulk", False),
        ("POST", "/api/recategorize", False),
        ("POST", "/api/deletions", False),
        ("GET", "/api/deletions", True),
        ("GET", "/api/deletions/recent", False),
        ("GET", "/api/review", False),
        ("GET", "/api/review%0A", False),
        ("PUT", "/api/lessons/a", False),
        ("DELETE", "/api/lessons/a", False),
        ("PATCH", "/api/query", False),
        ("POST", "/api/query/", False),
    ],
)
def test_read_only_token_changes_nothing(
    service: LessonService, method: str, path: str, *, allowed: bool
) -> None:
    app = build_app(service, None, Tokens("full", "read"))
    with TestClient(app, base_url=URL) as api:
        read, full, none = (
            api.request(method, path, headers={"Authorization": f"Bearer {token}"}).status_code
            for token in ("read", "full", "")
        )
    assert (read != 403) is allowed
    assert full not in {401, 403}
    assert none == 401


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_links_from_other_sites_open_the_page(api: TestClient, site: str) -> None:
    followed = {"sec_fetch_site": site, "sec_fetch_dest": "document"}
    assert read_status(api, "/", **followed) == 200
    assert read_status(api, "/api/lessons", **followed) == 403
    assert read_status(api, "/", sec_fetch_site=site, sec_fetch_dest="iframe") == 403


def test_page_works_behind_tls(service: LessonService) -> None:
    client = TestClient(build_app(service, None, Tokens("t")), base_url="http://docs.team.example")
    token = {"authorization": "Bearer t"}
    assert read_status(client, origin="https://docs.team.example", **token) == 200
    assert read_status(client, origin="https://evil.example", **token) == 403


@pytest.mark.parametrize("path", ["/", "/docs", "/api/lessons", "/api/nothing", "/page/page.js"])
def test_every_response_has_security_headers(api: TestClient, path: str) -> None:
    for headers in ({}, {"host": "evil.example"}):
        answer = api.get(path, headers=headers)
        sent = {name: answer.headers[name] for name in PROTECTION}
        assert sent == PROTECTION


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "This server needs its token: sign in with the token as the password"),
        ({"authorization": f"Basic {b64encode(b'me:x').decode()}"}, "This is not the token of"),
    ],
)
def test_browser_is_shown_how_to_sign_in(
    service: LessonService, sent: dict[str, str], words: str
) -> None:
    api = TestClient(build_app(service, None, Tokens("t")), base_url=URL)
    answer = api.get("/", headers={"accept": "text/html,*/*;q=0.8", **sent})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Basic ")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert words in answer.text
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert list(api.get("/", headers=sent).json()) == ["detail"]


def test_browser_is_shown_how_to_fix_the_host_name(api: TestClient) -> None:
    answer = api.get("/", headers={"accept": "text/html", "host": "evil.example"})
    assert answer.status_code == 421
    assert "<p>Unknown host name: use the address that the server was" in answer.text
