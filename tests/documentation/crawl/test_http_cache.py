"""Pages are asked for again on condition, and kept where a site only fails for a moment."""

import pytest
from scrapy.http import Request, Response
from scrapy.settings import Settings

from hookwright_documentation.crawl.middlewares import OLD, OPENS, ConditionalPolicy, read_wait

URL = "https://docs.example.org/a"
STARTED = 1_000.0


@pytest.fixture
def policy() -> ConditionalPolicy:
    return ConditionalPolicy(Settings({"CRAWL_STARTED": STARTED}))


def test_page_of_this_crawl_is_fresh(policy: ConditionalPolicy) -> None:
    """What was fetched since the crawl began is not asked for again."""
    request = Request(URL, meta={"cache_timestamp": STARTED + 1})
    assert policy.is_cached_response_fresh(Response(URL), request)


def test_older_page_is_asked_for_on_condition(policy: ConditionalPolicy) -> None:
    request = Request(URL, meta={"cache_timestamp": STARTED - 1})
    kept = Response(URL, headers={"ETag": '"1"', "Cache-Control": "max-age=99999999"})
    assert not policy.is_cached_response_fresh(kept, request)
    assert request.headers["If-None-Match"] == b'"1"'


@pytest.mark.parametrize(
    ("status", "retries", "kept"),
    [(304, 0, True), (503, 0, True), (429, 0, False), (429, 2, True), (404, 2, False)],
)
def test_page_is_kept_while_the_site_fails(
    policy: ConditionalPolicy, status: int, retries: int, *, kept: bool
) -> None:
    """A server that fails, or is busy to the last, takes no page away; a missing page is gone."""
    request = Request(URL, meta={"retry_times": retries})
    answer = Response(URL, status=status)
    assert policy.is_cached_response_valid(Response(URL), answer, request) == kept


@pytest.mark.parametrize(("status", "flags"), [(304, []), (503, [OLD])])
def test_page_kept_for_an_error_is_flagged(
    policy: ConditionalPolicy, status: int, flags: list[str]
) -> None:
    kept = Response(URL)
    policy.is_cached_response_valid(kept, Response(URL, status=status), Request(URL))
    assert kept.flags == flags


@pytest.mark.parametrize("status", [429, 503])
def test_site_has_to_answer_for_itself(policy: ConditionalPolicy, status: int) -> None:
    request = Request(URL, meta={OPENS: True, "retry_times": 2})
    assert not policy.is_cached_response_valid(Response(URL), Response(URL, status=status), request)


def test_page_is_kept_whatever_its_cache_control_says(policy: ConditionalPolicy) -> None:
    """The user asked for a copy; an error is none."""
    no_store = Response(URL, headers={"Cache-Control": "no-store"})
    assert policy.should_cache_response(no_store, Request(URL))
    assert not policy.should_cache_response(Response(URL, status=500), Request(URL))


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3.0), ("-1", 0.0), ("", 0.0), ("soon", 0.0), ("Mon, 01 Jan 2001 00:00:00 GMT", 0.0)],
)
def test_retry_after_is_read(header: str, seconds: float) -> None:
    assert read_wait(header) == seconds


def test_retry_after_can_be_a_date() -> None:
    assert read_wait("Fri, 01 Jan 2100 00:00:00 GMT") > 1_000_000
