"""If a site yields no pages, one diagnosis covers the whole site."""

import pytest

from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources.site.failures import (
    explain_error,
    explain_status,
    judge,
    name_failure,
)

from ....support.documentation_site import WORDS, Answer, page

URL = "https://docs.example.org/"
LOGIN = page("Sign in", text='<input type="password">')
SHELL = Answer(b"<html><script src=/a.js></script><div id=root></div>")


def build(answer: Answer, kind: str = "text/html") -> FetchedPage:
    assert isinstance(answer.body, bytes)
    return FetchedPage(URL, kind, answer.body)


@pytest.mark.parametrize(
    ("answers", "count", "problem"),
    [
        ([LOGIN], 0, "it asks for a login"),
        ([LOGIN, LOGIN], 9, "it asks for a login"),
        ([SHELL, SHELL, SHELL], 50, "empty without JavaScript"),
        ([page("Home")], 1, "only one page found below"),
        ([], 0, "no pages found below"),
    ],
)
def test_site_without_documentation_is_explained(
    answers: list[Answer], count: int, problem: str
) -> None:
    pages = [build(answer) for answer in answers]
    first = pages[0] if pages else build(page("Home"))
    assert problem in judge(count, pages if count else [], first, URL)


@pytest.mark.parametrize(
    ("body", "kind", "problem"),
    [
        (b"%PDF", "application/pdf", "it is application/pdf, not a page: use another URL"),
        (b" \n", "text/html", "it is empty: use another URL"),
    ],
)
def test_other_content_is_named(body: bytes, kind: str, problem: str) -> None:
    assert judge(0, [], FetchedPage(URL, kind, body), URL) == f"{URL}: {problem}"


@pytest.mark.parametrize(
    ("answers", "count"),
    [
        ([LOGIN, page("Guide")], 2),
        ([SHELL, page("Guide"), SHELL], 30),
        ([page("Manual", text=WORDS * 40)], 1),
    ],
)
def test_single_page_does_not_condemn_the_site(answers: list[Answer], count: int) -> None:
    pages = [build(answer) for answer in answers]
    assert judge(count, pages, pages[0], URL) == ""


def test_text_is_always_accepted() -> None:
    assert judge(1, [build(Answer(b"# A"), "text/markdown")], build(SHELL), URL) == ""


def test_error_suggests_a_solution() -> None:
    for name, words, reason in [
        ("CannotResolveHostError", "", "cannot find docs.example.org: check the URL"),
        ("DownloadConnectionRefusedError", "", "connection refused"),
        ("DownloadTimeoutError", "", "no response in time"),
        ("DownloadFailedError", "certificate verify failed", "SSL_CERT_FILE"),
        ("DownloadFailedError", "certificate has expired", "is out of date: check this computer"),
        ("DownloadFailedError", "VerificationError(errors=[DNSMismatch(", "is for another host"),
        (
            "DownloadFailedError",
            "certificate subject name 'x' does not match",
            "is for another host",
        ),
        ("DownloadFailedError", "SSL.Error: wrong version number", "try http://"),
        ("IgnoreRequest", "Forbidden by robots.txt", "its robots.txt forbids a crawl"),
        ("DownloadCancelledError", "", "too large"),
        ("OddError", "", r"cannot be fetched (OddError)"),
    ]:
        error = type(name, (Exception,), {})(words)
        assert reason in explain_error(URL, error, {}, 200)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CannotResolveHostError", "host not found"),
        ("DownloadConnectionRefusedError", "connection refused"),
        ("DownloadTimeoutError", "no response in time"),
        ("ResponseNeverReceived", "connection failed"),
    ],
)
def test_page_error_contains_no_internal_name(name: str, words: str) -> None:
    assert name_failure(type(name, (Exception,), {})()) == words


def test_rejected_host_is_named() -> None:
    message = explain_error(URL, OSError(), {"docs.example.org": "10.0.0.1"}, 200)
    assert "docs.example.org is 10.0.0.1, which is not on the internet" in message


def test_missing_certificates_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    error = OSError("certificate verify failed")
    monkeypatch.setenv("SSL_CERT_FILE", "/nope.pem")
    assert "SSL_CERT_FILE names /nope.pem, which is not a file" in explain_error(
        URL, error, {}, 200
    )


def test_unreachable_proxy_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9/")
    error = type("ConnectionRefusedError", (Exception,), {})()
    assert "connection refused: check HTTP_PROXY" in explain_error(URL, error, {}, 200)


def test_http_status_suggests_a_solution() -> None:
    assert explain_status(URL, 404) == f"{URL}: HTTP 404: check the URL"
    assert "HTTP 403: it blocks crawlers, or needs a login" in explain_status(URL, 403)
    for status in (500, 502):
        assert f"HTTP {status}: try again later" in explain_status(URL, status)
