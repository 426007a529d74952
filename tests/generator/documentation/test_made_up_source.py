"""A new kind of source requires only a module with two functions and a registry line."""

import json
from pathlib import Path

import pytest

from hookwright.documentation import setup
from hookwright.documentation.proof import Question
from hookwright_documentation.sources import registry
from hookwright_documentation.sources.registry import SourceKind

from ...support.command_line import CommandLine

PAPER = """
from hookwright_documentation.pages import FetchedPage
from hookwright_documentation.sources import results
from hookwright_documentation.sources.registry import CrawlReport, Source

SITE = "https://paper.example/"


def recognise(text):
    return Source(text, keywords=("papers",)) if text.startswith("paper:") else None


def take(options, folder, progress):
    store = results.start(options, folder)
    text = f"# Reading\\n\\nHold the {options.source.removeprefix('paper:')} close to the lamp."
    pages = [FetchedPage(SITE + "reading", "text/markdown; charset=utf-8", text.encode())]
    urls = store.put_all(pages, progress, 1)
    return results.finish(CrawlReport(SITE), urls, store)
"""


def test_database_is_set_up_from_a_made_up_source(
    hookwright_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "paper_source.py").write_text(PAPER)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "SOURCES", [SourceKind("paper_source"), *registry.SOURCES])
    monkeypatch.setattr(
        setup, "prove_server", lambda *_: Question("a b c", "https://paper.example")
    )
    words = ("setup", "paper:atlas", "--project", "my-hooks", "--yes", "--json")
    done = json.loads(hookwright_line.output(*words))
    assert (done["name"], done["pages"], done["registered"]) == ("papers", 1, True)
    assert "atlas close to the lamp" in hookwright_line.output("docs", "search", "papers", "lamp")


def test_piped_text_is_set_up_without_refresh(
    hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup, "prove_server", lambda *_: Question("a b c", "pipe://toy"))
    piped = b"Usage: toy\n\n  -f, --force  wind it up again\n"
    words = ("setup", "toy", "-", "--project", "my-hooks", "--yes", "--json")
    done = json.loads(hookwright_line.output(*words, given=piped))
    assert (done["name"], done["pages"], done["registered"]) == ("toy", 1, True)
    assert "pipe://toy#--force" in hookwright_line.output("docs", "search", "toy", "force")
    refused = hookwright_line.error("refresh", "toy")
    assert "toy was built from a pipe, which cannot be read again: pipe" in refused
