"""`hookwright try --corpus` counts how often each record matches many calls, with samples."""

import json
from pathlib import Path
from typing import Any

import pytest

from hookwright.project.reader import open_project
from hookwright.simulate.batch import Call, decide, search_or_fetch
from hookwright.simulate.run import find_handlers

from ...support.command_line import CommandLine
from ...support.project import (
    GITHUB_API,
    GITLAB,
    KUBERNETES,
    PULL_REQUEST,
    URL,
    call_event,
    render,
    run_hook,
)

WARNING = {"pattern": "docs[.]example", "message": "Known", "action": "warn"}
ALLOWING = {"pattern": "//github[.]com/ours/", "action": "allow"}
ROUTES = {"ours": ALLOWING, "pr": PULL_REQUEST, "api": GITHUB_API, "docs": WARNING}
LINES = """\
how to cache in GitLab
gl runner

k8s and gitlab
gl runner
weather in lisbon
https://github.com/a/b/pull/1
https://github.com/ours/b/pull/2
HTTPS://docs.example/page
https://example.com/
{"tool_name": "Bash", "tool_input": {"command": "curl https://api.github.com/users"}}
{"tool_name": "Bash", "tool_input": {"command": "echo 'curl https://api.github.com/users'"}}
{"tool_name": "Read", "tool_input": {"path": "/gitlab"}}
"""


@pytest.fixture(scope="module")
def corpus_project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("surveyed") / "my-hooks"
    rust = {**GITLAB, "name": "rust", "keywords": ["rust"], "with": ["cargo"], "unless": ["car"]}
    return render(template, folder, databases=[GITLAB, KUBERNETES, rust], routes=ROUTES)


def write(line: CommandLine, text: str) -> Path:
    path = line.folder / "corpus.txt"
    path.write_text(text, "utf-8")
    return path


def read(line: CommandLine, project: Path, text: str, *words: str) -> Any:
    corpus = write(line, text)
    return json.loads(
        line.output("try", "--json", "--corpus", corpus, "--project", project, *words)
    )


def test_records_are_counted(hookwright_line: CommandLine, corpus_project: Path) -> None:
    counts = read(hookwright_line, corpus_project, LINES)
    assert counts["calls"] == 12
    assert counts["tools"] == {"WebSearch": 5, "WebFetch": 4, "Bash": 2, "Read": 1}
    assert counts["does"] == {"deny": 6, "warn": 1, "allow": 5}
    assert [
        (record["record"], record["kind"], record["does"], record["fired"])
        for record in counts["records"]
    ] == [
        ("gitlab", "database", "deny", 4),
        ("kubernetes", "database", "deny", 1),
        ("ours", "route", "allow", 1),
        ("pr", "route", "deny", 1),
        ("api", "route", "deny", 1),
        ("docs", "route", "warn", 1),
        ("rust", "database", "deny", 0),
    ]
    assert counts["records"][0]["on"] == {"gitlab": 2, "gl": 2}
    assert counts["records"][0]["samples"] == [
        "how to cache in GitLab",
        "gl runner",
        "k8s and gitlab",
    ]
    assert counts["records"][0]["share"] == pytest.approx(4 / 12, abs=1e-5)


def test_table_is_sorted_with_bars(hookwright_line: CommandLine, corpus_project: Path) -> None:
    output = hookwright_line.output(
        *("try", "--corpus", write(hookwright_line, LINES), "--project", corpus_project)
    )
    lines = [" ".join(line.split()) for line in output.splitlines()]
    assert lines[0] == "12 calls: WebSearch 5, WebFetch 4, Bash 2, Read 1"
    assert lines[1] == "6 denied, 1 warned about, 5 let through: 50.0% denied"
    bars = ["█" * 24, "█" * 6]
    assert lines[4:6] == [
        f"gitlab deny 4 33.3% {bars[0]} gitlab 2, gl 2",
        f"kubernetes deny 1 8.3% {bars[1]} k8s 1",
    ]
    assert "never fired: rust" in lines
    assert any(line.startswith("gitlab: 'gl' is also short for other things") for line in lines)


def test_requested_number_of_samples_is_shown(
    hookwright_line: CommandLine, corpus_project: Path
) -> None:
    counts = read(hookwright_line, corpus_project, LINES, "--samples", "2")
    assert counts["records"][0]["samples"] == ["how to cache in GitLab", "gl runner"]
    counts = read(hookwright_line, corpus_project, LINES, "--samples", "0")
    assert [record["samples"] for record in counts["records"]] == [[]] * 7


def test_ineffective_keywords_are_counted(
    hookwright_line: CommandLine, corpus_project: Path
) -> None:
    counts = read(hookwright_line, corpus_project, "rust\nrust on a car\nrust cargo\n")
    (rust,) = (record for record in counts["records"] if record["record"] == "rust")
    assert (rust["fired"], rust["vetoed"]) == (1, 2)


def test_likeliest_mistakes_are_listed(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    go = {**GITLAB, "name": "go", "keywords": ["golang", "go"]}
    project = render(template, tmp_path / "hooks", databases=[go, KUBERNETES])
    text = "go panic\ngo panic\ngo goroutine\ngolang go\ngo panic k8s\ngo trip\ngo fish\n"
    counts = read(hookwright_line, project, text, "--samples", "1")
    closest = {"database": "go", "keyword": "go"}
    assert counts["likeliest_false"] == [
        {**closest, "query": "go panic", "points": {"go": 1, "panic": 1}, "sum": 2}
    ]
    assert counts["likeliest_missed"] == [
        {**closest, "query": "go trip", "points": {"go": 1, "trip": -2}, "sum": -1}
    ]
    output = hookwright_line.output("try", "--corpus", "corpus.txt", "--project", project)
    assert (
        "most likely false, of those denied:\n"
        "  go: go panic (sum 2)\n"
        "  go: go goroutine (sum 5)\n"
        "most likely missed, of those let through:\n"
        "  go: go trip (sum -1)\n"
        "  go: go fish (sum -2)\n"
        "if one of them is wrong, run hookwright tune NAME\n"
    ) in output


def test_no_mistakes_are_listed_without_ambiguous_keywords(
    hookwright_line: CommandLine, corpus_project: Path
) -> None:
    counts = read(hookwright_line, corpus_project, LINES)
    assert (counts["likeliest_false"], counts["likeliest_missed"]) == ([], [])
    output = hookwright_line.output("try", "--corpus", "corpus.txt", "--project", corpus_project)
    assert "likeliest" not in output


def test_hostile_calls_are_shown_without_being_interpreted(
    hookwright_line: CommandLine, corpus_project: Path
) -> None:
    path = write(hookwright_line, "[red]gitlab\x1b[31m \u202e x\nhttps://docs.example/[b]\x9b\n")
    output = hookwright_line.output("try", "--corpus", path, "--project", corpus_project)
    assert "  [red]gitlab\\u001b[31m \\u202e x\n" in output
    assert "  https://docs.example/[b]\\u009b\n" in output


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "corpus.txt holds no calls: name a file with a query or a URL on each line"),
        ("gitlab\n{}\n", "corpus.txt:2: not a call: write one per line, such as {"),
        ('{"tool_name": 1, "tool_input": {}}', "corpus.txt:1: not a call"),
        ('{"tool_name": "Bash", "tool_input": []}', "corpus.txt:1: not a call"),
        ('{"a":' * 100_000, "corpus.txt:1: not a call"),
        ("gl " * 400_000, "corpus.txt:1: longer than 1,000,000 characters: remove it"),
    ],
)
def test_invalid_corpus_is_reported_in_one_line(
    hookwright_line: CommandLine, corpus_project: Path, text: str, complaint: str
) -> None:
    path = write(hookwright_line, text)
    assert complaint in hookwright_line.error("try", "--corpus", path, "--project", corpus_project)


def test_unreadable_corpus_is_reported_in_one_line(
    hookwright_line: CommandLine, corpus_project: Path
) -> None:
    binary = hookwright_line.folder / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    for path, why in [("no", "No such file"), (".", "Is a directory"), ("binary", "is not text")]:
        line = hookwright_line.error("try", "--corpus", path, "--project", corpus_project)
        assert why in line


def test_hook_that_fails_on_calls_is_reported(
    hookwright_line: CommandLine, corpus_project: Path
) -> None:
    bad = '{"tool_name": "WebSearch", "tool_input": {"query": 5}}'
    counts = read(hookwright_line, corpus_project, f"{bad}\n{bad}\ngitlab\n")
    assert counts["does"] == {"deny": 1, "warn": 0, "allow": 2}
    ((error, number),) = counts["errors"].items()
    assert error.startswith("docsearch: TypeError(")
    assert number == 2


def test_decisions_match_the_hooks(corpus_project: Path, config: Path) -> None:
    project = open_project(corpus_project)
    calls = [search_or_fetch(line) for line in LINES.splitlines() if line and line[0] != "{"]
    calls += [
        Call("Bash", {"command": "curl https://api.github.com/größe"}),
        Call("Bash", {"command": "git commit -m 'curl https://api.github.com/x y'"}),
        Call("WebSearch", {"query": "rust \ud800 cargo \\u0067"}),
        Call("WebSearch", {"query": "caching", "allowed_domains": ["docs.gitlab.com"]}),
    ]
    for number, (call, outcomes) in enumerate(decide(find_handlers(project, "PreToolUse"), calls)):
        for outcome in outcomes:
            event = json.dumps(call_event(call.tool, call.input)).encode()
            answer = run_hook(project.find_hook(outcome.hook), event, config / str(number))
            output = answer.output if answer.stdout else {}
            reason = output.get("permissionDecisionReason", "")
            assert (outcome.decision or ("", "")) == (reason, output.get("additionalContext", ""))


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("gl runner\nk8s\n", ["--expect", "deny"], ""),
        ("gl runner\nlisbon\nrome\n", ["--expect", "deny"], "2 of 3 calls are allowed"),
        ("lisbon\ngl runner\n", ["--expect", "allow"], "denied, the first is gl runner\n"),
    ],
)
def test_expectation_applies_to_all_calls(
    hookwright_line: CommandLine, corpus_project: Path, text: str, words: list[str], said: str
) -> None:
    corpus = write(hookwright_line, text)
    completed = hookwright_line.run("try", "--corpus", corpus, *words, "--project", corpus_project)
    assert completed.code == (1 if said else 0)
    assert said in completed.errors


@pytest.mark.parametrize(
    ("client", "decided", "reason"),
    [
        ("gemini", (3, 1), ""),
        ("codex", (1, 0), "it searches at its host"),
    ],
)
def test_corpus_of_another_client_is_read(
    hookwright_line: CommandLine, dialects: Path, client: str, decided: tuple[int, int], reason: str
) -> None:
    call = {"tool_name": "Bash", "tool_input": {"command": "git push --force"}}
    text = f"gitlab ci\n{URL}\nhttps://docs.example/page\n{json.dumps(call)}\n"
    counts = read(hookwright_line, dialects, text, "--client", client)
    does = {"deny": decided[0], "warn": decided[1], "allow": 4 - sum(decided)}
    assert (counts["client"], counts["calls"], counts["does"]) == (client, 4, does)
    words = ("try", "--corpus", hookwright_line.folder / "corpus.txt", "--client", client)
    output = hookwright_line.output(*words, "--project", dialects)
    assert ("of them: no hook runs: " in output, reason in output) == (bool(reason), True)
