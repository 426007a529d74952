"""An archive is fetched only from the user's URL, never from a host it redirects to."""

import gzip
import io
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_documentation.sharing import transport
from hookwright_documentation.sharing.transport import (
    GuardedAdapter,
    ask_host,
    check_target,
    download,
)
from hookwright_documentation.sources.urls import find_origin

from ...support.certificates import certify, trust_nobody
from ...support.documentation_site import Answer, Site, redirect, serving


@pytest.fixture
def site() -> Iterator[Site]:
    with serving(Site({"/x": Answer(b"archive" * 9)})) as site:
        yield site


def fetch(url: str) -> bytes:
    file = io.BytesIO()
    download(url, file)
    return file.getvalue()


def test_archive_is_fetched(site: Site) -> None:
    site.answers["/y"] = redirect("/x")
    assert fetch(f"{site.url}x") == fetch(f"{site.url}y") == b"archive" * 9


def test_company_certificate_is_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, context = certify(tmp_path)
    with serving(Site({"/x": Answer(b"archive")}), context) as site:
        trust_nobody(monkeypatch)
        with pytest.raises(ReportedError, match="not trusted: set SSL_CERT_FILE to your company's"):
            fetch(f"{site.url}x")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert fetch(f"{site.url}x") == b"archive"
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "gone"))
        with pytest.raises(ReportedError, match="SSL_CERT_FILE: no file or folder /"):
            fetch(f"{site.url}x")


def test_host_without_tls_is_reported(site: Site) -> None:
    with pytest.raises(ReportedError, match="its TLS handshake failed: check the addr"):
        fetch(f"{site.url.replace('http', 'https')}x")


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("http://169.254.169.254/latest/", "redirects to http://169.254.169.254"),
        ("https://169.254.169.254/latest/", "redirects to https://169.254.169.254"),
        ("https://10.0.0.1/", "redirects to https://10.0.0.1"),
        ("https://localhost/", "redirects to https://localhost"),
        ("http://docs.acme.example/", "redirects to http://docs.acme.example"),
        ("http://127.0.0.1:1/", "redirects to http://127.0.0.1"),
        ("file:///etc/passwd", "redirects to file://, which was not followed"),
    ],
)
def test_redirect_to_another_host_is_not_followed(site: Site, target: str, reason: str) -> None:
    site.answers["/x"] = redirect(target)
    with pytest.raises(ReportedError, match=reason):
        fetch(f"{site.url}x")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://docs.acme.example/x", "not encrypted"),
        (
            "file:///etc/passwd",
            "file:///etc/passwd is not a file or an https URL: use one of these",
        ),
        ("https://me:pw@docs.acme.example/x", "user or password"),
        ("https://10.0.0.1.nip.example.invalid/x", "cannot find"),
        ("http://[", r"http://\[ is not a file or an https URL"),
        ("https://", "https:// is not a file or an https URL"),
        ("https://a:b/", "https://a:b/ is not a file or an https URL"),
    ],
)
def test_unfetchable_url_is_rejected(url: str, reason: str) -> None:
    with pytest.raises(ReportedError, match=reason):
        fetch(url)


@pytest.mark.parametrize("address", ["192.168.0.9", "127.0.0.1", "169.254.169.254"])
def test_private_host_name_is_rejected(address: str) -> None:
    adapter = GuardedAdapter(("docs.acme.example", 443), lambda *_: [(2, 1, 6, "", (address, 443))])
    with pytest.raises(RefusedError, match="private network"):
        adapter.send(requests.Request("GET", "https://cdn.example/").prepare())


def test_login_is_sent_only_to_the_registry_site() -> None:
    def missing(*_: object) -> list[object]:
        raise OSError("none")

    for host, other, is_sent in (
        ("registry-1.docker.io", "auth.docker.io", True),
        ("registry.gitlab.com", "gitlab.com", True),
        ("ghcr.io", "ghcr.io", True),
        ("docs.acme.example", "elsewhere.example", False),
        ("docs.acme.co.uk", "evil.co.uk", False),
        ("acme.github.io", "evil.github.io", False),
        ("93.184.216.34", "93.184.216.35", False),
    ):
        adapter = GuardedAdapter((host, 443), missing)
        headers = {"Authorization": "Basic bWU6cHc="}
        request = requests.Request("GET", f"https://{other}/token", headers).prepare()
        reason = f"cannot find {other}" if is_sent else f"asks to send your login to {other}"
        with pytest.raises(ReportedError, match=reason):
            adapter.send(request)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(b"", status=404), "answers 404"),
        (Answer(b"x" * 200), "sent over 100 bytes"),
        (Answer(lambda: iter([b"x" * 60] * 9)), "sent over 100 bytes"),
        (Answer(b"x", headers={"Content-Length": "50"}), "closed the connection"),
        (Answer(gzip.compress(b"x"), headers={"Content-Encoding": "gzip"}), "compressed response"),
        (redirect("/x"), "redirects over"),
    ],
)
def test_bad_response_is_reported_in_one_line(
    site: Site, monkeypatch: pytest.MonkeyPatch, answer: Answer, reason: str
) -> None:
    monkeypatch.setattr(transport, "MAX_ARCHIVE", 100)
    monkeypatch.setattr(transport, "TIMEOUT", 0.3)
    site.answers["/x"] = answer
    with pytest.raises(ReportedError, match=reason) as raised:
        fetch(f"{site.url}x")
    assert str(raised.value).isprintable()


def test_slow_host_times_out() -> None:
    held = threading.Event()
    with pytest.raises(ReportedError, match="took more than"):
        ask_host("acme.example", held.wait, 0.05)
    held.set()


def test_credentials_of_other_programs_are_not_sent(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    netrc = tmp_path_factory.mktemp("home") / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with transport.guard(requests.Session(), find_origin(site.url)) as session:
        answer = session.get(f"{site.url}x")
    assert "Authorization" not in answer.request.headers


def test_plain_http_is_limited_to_this_computer() -> None:
    check_target("http://127.0.0.1:5000/v2/", ("127.0.0.1", 5000))
    for url, origin in (
        ("http://127.0.0.1:5001/v2/", ("127.0.0.1", 5000)),
        ("http://127.0.0.1:5000/v2/", ("acme.example", 443)),
        ("http://acme.example/v2/", ("acme.example", 80)),
    ):
        with pytest.raises(RefusedError):
            check_target(url, origin)
