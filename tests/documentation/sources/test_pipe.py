"""Text piped to the program becomes a page with an anchor for each option."""

import io
import sys
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from hookwright_documentation.sources.child_process import PageConverter, crawl
from hookwright_documentation.sources.registry import CrawlOptions
from hookwright_documentation.sources.results import read_fetched

OPTIONS = CrawlOptions("-", name="toy")
HELP = """
Usage: toy [OPTIONS] COMMAND
           [ARGS]

  Winds toys up.

Commands:
  wind      Wind one up
  unwind    Let it run

\x1b[1mOptions:\x1b[0m
  -f, --force          Wind it up although it is
                       wound up.
      --spring=STRENGTH
                       How strong it is.
  B\bBo\bol\bld\bd
"""


def pipe(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_usage_commands_and_options_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, HELP.encode())
    crawl(OPTIONS, tmp_path)
    with PageConverter("2026-01-01") as converter:
        (page,) = [converter.convert(page).page for page in read_fetched(tmp_path)]
    assert page.url == "pipe://toy"
    assert page.text.startswith(
        "# toy\n\n```\nUsage: toy [OPTIONS] COMMAND\n           [ARGS]\n```"
    )
    assert "## Commands {#Commands}\n\n- `wind`: Wind one up\n- `unwind`: Let it run" in page.text
    assert "## Options {#Options}" in page.text
    assert "### `-f, --force` {#--force}\n\nWind it up although it is wound up." in page.text
    assert "### `--spring=STRENGTH` {#--spring}\n\nHow strong it is." in page.text
    assert "Bold" in page.text


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "the pipe was empty"),
        (b" \x1b[0m\n", "the pipe was empty"),
        (b"\x7fELF\0\0\1\2" * 99, "the piped input is not text"),
        (b"y\n" * 3_000_000, "over 5 MB came through the pipe"),
    ],
)
def test_binary_input_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, line: str
) -> None:
    pipe(monkeypatch, content)
    with pytest.raises(ReportedError, match=f"^{line}"):
        crawl(OPTIONS, tmp_path)
