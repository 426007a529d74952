"""Every page is converted or skipped without affecting other pages."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookwright_console.errors import RefusedError
from hookwright_documentation.pages import FetchedPage, Page
from hookwright_documentation.sources.child_process import NO_TEXT, PageConverter

URL = "https://docs.acme.example/guide/page"
TYPES = ("text/html", "text/markdown", "text/x-rst", "text/plain", "application/xhtml+xml", "")
GOOD = FetchedPage(URL, "text/html", b"<h1>Sessions</h1><p>They are kept in cookies.</p>")
STALLING = ".. target-notes::\n\n" * 15_000


@pytest.fixture(scope="module")
def converter() -> Iterator[PageConverter]:
    with PageConverter("2026-11-26") as converter:
        yield converter


def convert(converter: PageConverter, body: bytes, kind: str) -> Page | str:
    try:
        return converter.convert(FetchedPage(URL, kind, body)).page
    except RefusedError as error:
        return str(error)


@pytest.mark.parametrize("kind", TYPES[:4])
@pytest.mark.parametrize("body", ["", "<!-- only this -->", "<?php 1 ?>"])
def test_page_without_text_is_skipped(converter: PageConverter, body: str, kind: str) -> None:
    left = convert(converter, body.encode(), kind)
    # Text that is not HTML may keep its markup.
    assert left == NO_TEXT or (isinstance(left, Page) and "html" not in kind)


# All examples share one converter process.
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400), st.sampled_from(TYPES))
def test_any_bytes_leave_the_next_page_intact(
    converter: PageConverter, body: bytes, kind: str
) -> None:
    assert convert(converter, body, kind)
    assert converter.convert(GOOD).page.title == "Sessions"


@pytest.mark.long
def test_slow_pages_are_skipped_sooner_each_time() -> None:
    with PageConverter("2026-11-26", time_limit=2.4) as converter:
        for limit in (2.4, 1.2, 1.2):
            left = convert(converter, STALLING.encode(), "text/x-rst")
            assert left == f"takes over {limit} s"
        assert converter.convert(GOOD).page.title == "Sessions"


def test_unusual_address_is_rejected(converter: PageConverter) -> None:
    long = FetchedPage(URL + "a" * 5_000, GOOD.content_type, GOOD.body)
    with pytest.raises(RefusedError, match="an invalid address or title"):
        converter.convert(long)
