"""Pages that decompress to an excessive size are rejected, freed at once, and counted."""

import gzip
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from hookwright_documentation.sources.child_process import crawl
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.site.middlewares import LeanCompression

from ....support.documentation_site import Answer, Site, page, serving

BOMB = gzip.compress(b"a" * 30_000_000, 1)
PACKED = {"Content-Encoding": "gzip"}


def test_rejected_page_releases_its_content() -> None:
    crawler = get_crawler(settings_dict={"DOWNLOAD_MAXSIZE": 1_000_000})
    request = Request("https://docs.acme.example/")
    response = Response(request.url, headers=PACKED, body=BOMB)
    with pytest.raises(IgnoreRequest, match="DOWNLOAD_MAXSIZE") as refused:
        LeanCompression.from_crawler(crawler).process_response(request, response)
    assert refused.value.__cause__ is None
    assert refused.value.__context__ is None


@pytest.mark.long
def test_rejected_pages_count_towards_the_limit(tmp_path: Path) -> None:
    bombs = [f"/bomb-{number}" for number in range(60)]
    pages = {"/": page("Home", "/next"), "/next": page("Next", "/last")}
    site = Site({**pages, "/last": page("Last", *bombs)})
    site.answers.update({bomb: Answer(BOMB, headers=PACKED) for bomb in bombs})
    with serving(site):
        report = crawl(CrawlOptions(site.url, delay=0, max_bytes=60_000_000), tmp_path)
    assert report.pages == 3
    assert "stopped at 60,000,000 bytes (narrow it with --prefix): there is more" in report.notes
    assert set(bombs) - set(site.asked)
