"""The source resolves to the start page in the user's language and version."""

import asyncio
from typing import Any

import pytest
from scrapy.http import HtmlResponse, Response

from hookwright_console.errors import ReportedError
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.site.scope import Scope
from hookwright_documentation.sources.site.start_page import open_source

from ....support.documentation_site import Answer, page, redirect

SITE = "https://docs.example.org"


def open_site(answers: dict[str, Answer], **options: Any) -> tuple[Response, Scope]:
    async def fetch(url: str) -> Response:
        answer = answers.get(url.removeprefix(SITE), Answer(status=404))
        assert isinstance(answer.body, bytes)
        return HtmlResponse(url, status=answer.status, headers=answer.headers, body=answer.body)

    options.setdefault("source", SITE)
    return asyncio.run(open_source(CrawlOptions(**options), fetch))


def test_prefix_follows_redirects() -> None:
    _, scope = open_site({"/": redirect("/en/stable/"), "/en/stable/": page("Home", lang="en-GB")})
    assert scope.prefix == f"{SITE}/en/stable/"
    assert scope.language == "en-gb"


def test_meta_refresh_counts_as_a_redirect() -> None:
    start = page("Moved", head='<meta http-equiv=refresh content="0; url=guide/">')
    response, _ = open_site({"/": start, "/guide/": page("Guide")})
    assert response.url == f"{SITE}/guide/"


def test_user_prefix_takes_precedence() -> None:
    options = {"source": f"{SITE}/a/b.html", "prefix": f"{SITE}/"}
    _, scope = open_site({"/a/b.html": page("B")}, exclusions=["a/"], **options)
    assert scope.prefix == f"{SITE}/"
    assert scope.exclusions == ("a/",)


@pytest.mark.parametrize(
    ("answers", "found"),
    [
        ({"/en/": page("Home"), "/fr/": page("Accueil", lang="fr")}, "/fr/"),
        (
            {
                "/en/": page("Home", head='<link rel=alternate hreflang=fr href="/francais">'),
                "/francais": page("Accueil", lang="fr"),
            },
            "/francais",
        ),
    ],
)
def test_language_is_detected(answers: dict[str, Answer], found: str) -> None:
    response, scope = open_site(answers, source=f"{SITE}/en/", language="fr")
    assert response.url == SITE + found
    assert scope.language == "fr"


def test_language_is_detected_below_the_source() -> None:
    answers = {"/": page("Home"), "/fr/": page("Accueil", lang="fr")}
    assert open_site(answers, language="fr")[0].url == f"{SITE}/fr/"


def test_version_is_detected() -> None:
    answers = {"/3/": page("Now"), "/3.12/": page("Before"), "/3/2.7/": page("Long before")}
    assert open_site(answers, source=f"{SITE}/3/", version="3.12")[0].url == f"{SITE}/3.12/"
    answers = {"/": page("Now"), "/2.7/": page("Before")}
    assert open_site(answers, version="2.7")[0].url == f"{SITE}/2.7/"


@pytest.mark.parametrize("options", [{"version": "9.9"}, {"language": "tlh"}])
def test_missing_language_or_version_is_reported(options: dict[str, str]) -> None:
    (kind,) = options
    with pytest.raises(ReportedError, match=f"{kind} not found: looked for .*: leave out --{kind}"):
        open_site({"/": page("Home")}, **options)


@pytest.mark.parametrize("host", ["evil.example.org", "docs.example.org"])
def test_https_is_not_downgraded(host: str) -> None:
    with pytest.raises(
        ReportedError, match=f"redirects from https to http://{host}/: use that URL"
    ):
        open_site({"/": redirect(f"http://{host}/")})


def test_url_password_is_hidden() -> None:
    with pytest.raises(ReportedError, match="never sent: remove them") as error:
        open_site({}, source="https://me:secret@docs.example.org/")
    assert "secret" not in str(error.value)


def test_invalid_source_url_is_reported() -> None:
    with pytest.raises(ReportedError, match="not a documentation address: 'ftp://a'"):
        open_site({}, source="ftp://a")
