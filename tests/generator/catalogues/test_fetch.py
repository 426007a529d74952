"""A catalogue is fetched only from the given source: completely and in time, or not at all."""

import contextlib
import os
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hookwright.catalogues.catalogue
from hookwright.catalogues.catalogue import MAX_SIZE, fetch, find_source
from hookwright_console.errors import RefusedError
from hookwright_console.network.http_client import NotHttpError, ask

from ...support.hypothesis_profiles import examples
from ...support.loopback_server import LoopbackServer


class Answers(BaseHTTPRequestHandler):
    """Serves a predefined response for each path."""

    def do_GET(self) -> None:  # name required by http.server
        where = {"/near": "/text", "/far": "http://192.0.2.1/", "/file": "file:///etc/passwd"}
        where["/circle"] = "/circle"
        sizes = {"/text": 5, "/large": MAX_SIZE + 1}
        if self.path in where:
            self.send_response(302)
            self.send_header("Location", where[self.path])
            self.end_headers()
        elif self.path in sizes:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"x" * sizes[self.path])
        elif self.path == "/slow":
            self.drip()
        else:
            self.send_error(404)

    def drip(self) -> None:
        self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Drip: ")
        for _ in range(100):
            try:
                self.wfile.write(b"x")
            except OSError:
                return
            time.sleep(0.02)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Suppress logging."""


@pytest.fixture
def server() -> Iterator[str]:
    with LoopbackServer(Answers) as running:
        yield running.url


def test_url_is_fetched(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert fetch(find_source(f"{server}/text")) == fetch(f"{server}/near") == b"xxxxx"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/far", "redirects to http://192.0.2.1/: use that URL"),
        ("/file", "redirects to file://"),
        ("/large", "is too large: a catalogue has at most 1,000,000 bytes"),
        ("/none", "cannot be fetched (status 404)"),
        ("/circle", "cannot be fetched (status 302): check it"),
    ],
)
def test_failed_fetch_is_reported(server: str, path: str, words: str) -> None:
    with pytest.raises(RefusedError) as caught:
        fetch(server + path)
    assert words in str(caught.value)
    assert server + path in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x", "http://a/x"]
)
def test_other_schemes_are_rejected(url: str) -> None:
    with pytest.raises(RefusedError):
        fetch(url)
    if not url.startswith("http:"):
        with pytest.raises(NotHttpError):
            ask(url, timeout=1)


def test_slow_drip_server_times_out(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hookwright.catalogues.catalogue, "LIMIT", 0.3)
    begun = time.perf_counter()
    with pytest.raises(RefusedError, match="took more than"):
        fetch(f"{server}/slow")
    assert time.perf_counter() - begun < 1.5


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://example.org/x.yml", "http://example.org/x.yml is not encrypted"),
        ("file:///etc/passwd", "is not an https URL"),
        ("ftp://example.org/x", "is not an https URL"),
        ("https://me:secret@example.org/x", "contains a password"),
        ("https:///x", "is not an https URL"),
        ("https://[::1/x", "is not a URL"),
        ("javascript:alert(1)", "is not an https URL"),
    ],
)
def test_invalid_urls_are_rejected(url: str, words: str) -> None:
    with pytest.raises(RefusedError) as caught:
        find_source(url)
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("host", ["127.0.0.1:8", "localhost:8", "[::1]:8"])
def test_loopback_needs_no_tls(host: str) -> None:
    assert find_source(f"http://{host}/x") == f"http://{host}/x"


@settings(max_examples=examples(200))
@given(st.text(), st.sampled_from(["", "https:", "http://", "https://", "https://a@"]))
def test_any_source_is_accepted_or_rejected(text: str, scheme: str) -> None:
    with contextlib.suppress(RefusedError):
        assert find_source(scheme + text)


def test_impossible_path_is_rejected() -> None:
    with pytest.raises(RefusedError, match="is not UTF-8: rename the file"):
        find_source("\udcff.yml")


def test_unreadable_files_are_rejected(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"x" * (MAX_SIZE + 1))
    for name, words in (
        ("pipe", "cannot be read: not a regular file"),
        (".", "cannot be read: not a regular file"),
        ("large", "is too large"),
        ("none", "cannot be read: No such file or directory: check the path"),
        ("a\0b", "cannot be read"),
    ):
        with pytest.raises(RefusedError, match=words):
            fetch(f"{tmp_path}/{name}")


def test_path_is_stored_normalised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert find_source("../x/./y/../c.yml") == str(tmp_path / "x" / "c.yml")
