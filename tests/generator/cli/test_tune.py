"""`hookwright tune` corrects which searches an ambiguous keyword causes to be denied."""

import json
from pathlib import Path

import pytest

from ...support.command_line import CommandLine
from ...support.project import GITLAB, KUBERNETES, PULL_REQUEST, render
from ...support.pseudo_terminal import ENTER, open_terminal
from ...support.rendered_project import read_answers

GO = {**GITLAB, "name": "go docs", "keywords": ["Go", "golang"], "unless": ["karts"]}
ATLAS = {**GITLAB, "keywords": ["atlas"], "ambiguous": True}
RUST = {**GITLAB, "keywords": ["rust"], "with": ["cargo"]}
DENIED = ["go goroutine mutex deadlock", "go http server timeout", "go modules private repo"]
FALSE = "go trip planner app code"
MISSED = "go iota meaning"
OTHER = ["where to go with kids", "go fish rules", MISSED]
CORPUS = "\n".join([*DENIED, FALSE, *OTHER, "golang karts", "go karts", "https://go.dev/x"])


@pytest.fixture
def ambiguous(template: Path, tmp_path: Path) -> Path:
    databases = [
        {**KUBERNETES, "disabled": True},
        *(ATLAS, GO, RUST, GITLAB),
        {**GITLAB, "name": "dart", "keywords": ["dart"], "disabled": True},
        {
            **GITLAB,
            "name": "indexed",
            "keywords": ["zig"],
            "arguments": {"database": "zig"},
            "mcp_tool_name": "mcp__hookwright-docs__search_docs",
        },
    ]
    return render(template, tmp_path / "my-hooks", databases=databases, routes={"pr": PULL_REQUEST})


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(CORPUS, "utf-8")
    return path


def test_false_and_missed_searches_are_fixed(
    hookwright_line: CommandLine, ambiguous: Path, corpus: Path
) -> None:
    marked = ("--false", FALSE, "--missed", MISSED)
    output = hookwright_line.output(
        "tune", "go docs", corpus, *marked, "-y", "--project", ambiguous
    )
    assert f"unless: [trip]  1 more let through: {FALSE}\n" in output
    assert f"keywords: [go iota]  1 more denied: {MISSED}\n" in output
    assert "Tune go docs: done" in output
    changed = {**GO, "keywords": ["Go", "golang", "go iota"], "unless": ["karts", "trip"]}
    assert read_answers(ambiguous)["databases"][2] == changed
    for query, does in ((FALSE, "allow"), (MISSED, "deny"), (DENIED[0], "deny")):
        assert hookwright_line.output("try", query, "--expect", does, "--project", ambiguous)


def test_trial_changes_nothing(hookwright_line: CommandLine, ambiguous: Path, corpus: Path) -> None:
    before = read_answers(ambiguous)
    output = hookwright_line.output(
        *("tune", "go docs", corpus, "--false", FALSE, "--dry-run", "--json"),
        *("--project", ambiguous),
    )
    assert json.loads(output)["records"][0]["after"]["unless"] == ["karts", "trip"]
    assert read_answers(ambiguous) == before


@pytest.mark.long
def test_keyword_with_only_wanted_searches_may_become_unambiguous(
    hookwright_line: CommandLine, ambiguous: Path, corpus: Path
) -> None:
    corpus.write_text("\n".join([*DENIED, MISSED]))
    words = ("--missed", MISSED, "--dry-run", "--project", ambiguous)
    lines = hookwright_line.output("tune", "go docs", corpus, *words).splitlines()
    assert lines[:2] == [
        f"keywords: [go iota]  1 more denied: {MISSED}",
        f"ambiguous: false  1 more denied: {MISSED} (not applied)",
    ]


@pytest.mark.long
def test_ambiguous_false_is_the_last_resort(hookwright_line: CommandLine, ambiguous: Path) -> None:
    words = ("--missed", "atlas", "--dry-run", "--json", "--project", ambiguous)
    output = hookwright_line.output("tune", "atlas", *words)
    assert json.loads(output)["records"][0]["after"]["ambiguous"] is False


def test_likeliest_searches_are_shown_without_a_terminal(
    hookwright_line: CommandLine, ambiguous: Path, corpus: Path
) -> None:
    completed = hookwright_line.run(
        "tune", "go docs", corpus, "--project", ambiguous, "--samples", "2"
    )
    assert completed.code == 2
    assert completed.errors.endswith("terminal: add --false QUERY or --missed QUERY\n")
    first, closest, _, second, missed, _ = completed.output.splitlines()
    assert (first, second) == ("most likely false, of those denied:", "most likely missed:")
    assert closest.startswith(f"  {FALSE} (sum ")
    assert missed.startswith("  go ")
    corpus.write_text(FALSE)
    completed = hookwright_line.run("tune", "go docs", corpus, "--project", ambiguous)
    assert "missed" not in completed.output


def test_past_session_searches_are_used(
    hookwright_line: CommandLine, ambiguous: Path, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use = {"type": "tool_use", "id": "1", "name": "WebSearch", "input": {"query": FALSE}}
    row = {"type": "assistant", "message": {"content": [use]}}
    (config / "projects").mkdir(parents=True)
    (config / "projects" / "a.jsonl").write_text(json.dumps(row) + "\n")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(config))
    assert FALSE in hookwright_line.run("tune", "go docs", "--project", ambiguous).output


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nope"], "no record named 'nope'"),
        (
            ["gitlab"],
            "gitlab: no keyword is ambiguous, so there is nothing to tune: run hookwright",
        ),
        (["pr"], "pr is a route, which has no keywords: run hookwright edit pr"),
        (["rust"], "rust: its words in with decide, so there is nothing to tune: run"),
        (["dart"], "dart is disabled: run hookwright enable dart first"),
        (["go docs"], "no search in the transcripts has an ambiguous keyword of go docs: name"),
        (["go docs", "missing.txt"], "cannot read missing.txt: No such file or directory"),
        (["go docs", "--false", "go fish"], "--false 'go fish': it goes through already: for"),
        (["go docs", "--missed", DENIED[0]], "it is denied already: for 'goroutine' +"),
        (["go docs", "--false", "golang"], "no ambiguous keyword of go docs decides about it; see"),
        (["go docs", "--missed", "go karts"], "no ambiguous keyword of go docs decides about it"),
        (["indexed"], "indexed: its index decides which searches are denied, so there is nothing"),
        (
            ["go docs", "--missed", "go trip"],
            "nothing distinguishes these searches from the others: run",
        ),
    ],
)
def test_refusal_is_one_line(
    hookwright_line: CommandLine, ambiguous: Path, words: list[str], complaint: str
) -> None:
    if complaint.startswith("nothing distinguishes"):
        words = [*words, str(hookwright_line.folder / "corpus.txt")]
        (hookwright_line.folder / "corpus.txt").write_text(CORPUS)
    assert complaint in hookwright_line.error("tune", *words, "--project", ambiguous)


def test_empty_file_name_is_a_usage_error(hookwright_line: CommandLine, ambiguous: Path) -> None:
    line = hookwright_line.error("tune", "go docs", "", "--project", ambiguous, code=2)
    assert line.endswith("FILE is empty: name a file of searches")


@pytest.mark.long
def test_searches_are_selected_at_a_terminal(ambiguous: Path, corpus: Path) -> None:
    words = ("tune", "go docs", str(corpus), "--project", str(ambiguous))
    with open_terminal(*words, folder=ambiguous.parent) as terminal:
        terminal.answer("Which were denied by mistake?", "9" + ENTER)
        terminal.answer("expected a number from 1 to 4, got 9", "1" + ENTER)
        terminal.answer("Which were missed?")
        terminal.see("unless: [trip]  1 more let through")
        terminal.answer("> ")
        terminal.answer("Tune go docs, as above? [y/N]", "y" + ENTER)
        assert terminal.end() == 0
    assert read_answers(ambiguous)["databases"][2]["unless"] == ["karts", "trip"]
