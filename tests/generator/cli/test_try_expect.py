"""`hookwright try` accepts a call as typed and reports the decision by its exit code."""

from pathlib import Path

import pytest

from hookwright.simulate.batch import search_or_fetch

from ...support.command_line import CommandLine
from ...support.project import URL


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("github.com/octo/hello/pull/42", URL),
        ("Docs.Example.org:8080/", "https://Docs.Example.org:8080/"),
        ("HTTP://docs.example/a", "HTTP://docs.example/a"),
        ("github.com/octo/hello pull requests", ""),
        ("node.js", ""),
        ("and/or", ""),
        ("input.output", ""),
    ],
)
def test_url_needs_no_scheme(text: str, url: str) -> None:
    call = search_or_fetch(text)
    assert (call.tool, call.text) == (("WebFetch", url) if url else ("WebSearch", text))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--expect", "deny", "gitlab"], ""),
        (["--expect", "allow", "gitlab"], "expected allow, but the call is denied"),
        (["--expect", "deny", "--tool", "Read", "--input", "{}"], "but the call is allowed"),
    ],
)
def test_expectation_decides_the_exit_code(
    hookwright_line: CommandLine, both: Path, words: list[str], said: str
) -> None:
    for form in ([], ["--json"]):
        completed = hookwright_line.run("try", *words, *form, "--project", both)
        assert completed.code == (1 if said else 0)
        assert said in completed.errors
        assert len(completed.errors.splitlines()) == bool(said)
