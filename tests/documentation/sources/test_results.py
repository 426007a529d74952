"""Fetched pages are stored completely; incomplete ones are fetched again."""

import json
import time
from pathlib import Path

import pytest

from hookwright_documentation.sources import results
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.results import PAGES, PageStore, read_fetched, read_inventory

URL = "https://docs.example.org/a"


def test_page_is_stored_with_its_validators(tmp_path: Path) -> None:
    store = PageStore(tmp_path)
    store.put(URL, {"etag": "1", "set-cookie": "x"}, b"a\nb", 100.0)
    stored = store.get(URL)
    assert stored
    assert (stored.body, stored.headers, stored.checked) == (b"a\nb", {"etag": "1"}, 100.0)


@pytest.mark.parametrize("content", [b"", b"{}", b"[]\n", b'{"url": 1}\nx', b"\xff\n", None])
def test_damaged_page_counts_as_missing(tmp_path: Path, content: bytes | None) -> None:
    store = PageStore(tmp_path)
    store.put(URL, {}, b"text", 100.0)
    (file,) = (tmp_path / PAGES).iterdir()
    file.write_bytes(file.read_bytes()[:-1] if content is None else content)
    assert store.get(URL) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"pages": 1}', None])
def test_folder_without_a_crawl_has_no_pages(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / results.RESULT).write_text(text)
    assert list(read_fetched(tmp_path)) == []
    assert read_inventory(tmp_path) == []


def test_unfinished_crawl_resumes(tmp_path: Path) -> None:
    begun = results.start(CrawlOptions(URL), tmp_path).started
    assert results.start(CrawlOptions(URL, max_pages=9), tmp_path).started == begun
    assert results.start(CrawlOptions(URL, language="fr"), tmp_path).started > begun


def test_long_stopped_crawl_starts_over(tmp_path: Path) -> None:
    results.start(CrawlOptions(URL), tmp_path)
    path = tmp_path / results.UNFINISHED
    saved = json.loads(path.read_text())
    saved["started"] -= 7 * 86_400
    path.write_text(json.dumps(saved))
    assert results.start(CrawlOptions(URL), tmp_path).started > time.time() - 60
