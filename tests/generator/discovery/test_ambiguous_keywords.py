"""Keywords that mean something else as well are found by the ready lists."""

from dataclasses import replace
from pathlib import Path

import pytest

from hookwright.answers.editor import write_record
from hookwright.answers.yaml_reader import read_document
from hookwright.discovery.ambiguous_keywords import find_ambiguous, read_ready_databases
from hookwright.doctor.records import check_keywords
from hookwright.doctor.setup import find_setup
from hookwright.project.reader import Project

from ...support.command_line import CommandLine
from ...support.project import GITLAB


def find(*keywords: str, **fields: object) -> list[str]:
    """Return the ambiguous ones of the keywords of a database."""
    return [one.keyword for one in find_ambiguous([{**GITLAB, "keywords": keywords, **fields}])]


@pytest.mark.parametrize(
    "keyword", ["go", "next", "express", "spring", "node", "rust", "swift", "python", "Go"]
)
def test_common_ones_are_found(keyword: str) -> None:
    """Each comes with words that mend it."""
    (found,) = find_ambiguous([{**GITLAB, "keywords": ["gitlab", keyword]}])
    assert (found.number, found.database, found.keyword) == (0, "gitlab", keyword)
    assert f"add with: [{found.mending['with'][0]}, " in found.advice


def test_certain_ones_are_not() -> None:
    """A keyword that counts alone in the ready lists is certain."""
    assert find("golang", "goroutine", "python3", "gitlab", "kubernetes") == []


def test_short_ones_are() -> None:
    """Two letters are short for other things too, and nobody knows the words that fix them."""
    (found,) = find_ambiguous([{**GITLAB, "keywords": ["gl", "k8s"]}])
    assert (found.keyword, found.mending) == ("gl", {"with": []})
    assert "with: [...]" in found.advice


def test_mended_ones_are_not() -> None:
    """A database that has `with` is mended; `unless` alone leaves too much."""
    assert find("go", "gl", **{"with": ["golang"]}) == []
    assert find("go", unless=["karts"]) == ["go"]


def test_ready_records_are_not_pointed_out() -> None:
    """Whoever takes them has nothing to mend."""
    assert find_ambiguous(read_ready_databases()) == []


def test_ambiguous_keyword_is_told_when_added(hookwright_line: CommandLine, kept: Path) -> None:
    """Even with --yes, a line says what an everyday word needs, as an option and in the editor."""
    words = ("--path", "/s", "--tool", "mcp__leann__search", "--description", "Swift", "--yes")
    added = ("add", "database", "--keyword", "swift", *words, "--project", kept)
    (line,) = hookwright_line.run(*added).errors.splitlines()
    assert line.startswith("hookwright: swift: 'swift' is also an everyday word: run hookwright ed")
    assert line.endswith("or add it with --with swiftui --with swiftdata --with swiftlang")


def test_mended_keyword_is_added_in_silence(hookwright_line: CommandLine, kept: Path) -> None:
    """A database that has the words is not told of, and neither is a short keyword."""
    words = ("--path", "/s", "--tool", "mcp__leann__search", "--description", "Swift", "--yes")
    for named in (("swift", "--with", "ios"), ("tf",)):
        added = ("add", "database", "--keyword", *named, *words, "--project", kept)
        assert hookwright_line.run(*added).errors == ""


def test_doctor_tells_of_ambiguous_keywords(both: Path) -> None:
    """It warns of a record with an everyday word, and not of a short one."""
    setup = replace(find_setup(both), databases=[{**GITLAB, "keywords": ["gl", "rust"]}])
    (finding,) = check_keywords(setup)
    assert (finding.check, finding.status) == ("keywords", "warn")
    assert finding.line.startswith("gl: 'rust' is also an everyday word: run hookwright edit")


def test_edited_record_lists_the_words() -> None:
    """The text to edit has all the words that the advice names some of."""
    go = {"keywords": ["go"], "path": "/docs", "mcp_tool_name": "t", "description": "the docs"}
    project = Project(Path("/p"), {"project_name": "p", "databases": [go]}, "", "")
    text = write_record(project, ("databases", 0), Path("/schema.json"))
    (found,) = find_ambiguous([go])
    assert "run hookwright edit go, which lists more words, and add with: [" in found.advice
    assert all(f"{word}" in text for words in found.mending.values() for word in words)
    assert read_document(text).value == {"databases": [go]}
