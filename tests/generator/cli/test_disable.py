"""`hookwright disable` removes records from the hooks, and `enable` restores them."""

import json
import re
from pathlib import Path

import pytest

from hookwright_console.terminal import listening

from ...support.command_line import CommandLine
from ...support.project import GITLAB, KUBERNETES, ROUTES
from ...support.rendered_project import build_tables, read_answers, read_route_tables, read_tables


def test_database_is_disabled_and_enabled(hookwright_line: CommandLine, kept: Path) -> None:
    options = ("--yes", "--project", kept)
    assert "Disable gitlab: done" in hookwright_line.output("disable", "gitlab", *options)
    assert read_answers(kept)["databases"] == [{**GITLAB, "disabled": True}, KUBERNETES]
    assert read_tables(kept) == build_tables([KUBERNETES])
    again = hookwright_line.error("disable", "gitlab", *options)
    assert again.endswith("gitlab is already disabled: run hookwright enable gitlab")
    listed = hookwright_line.output("list", "--project", kept)
    assert "gitlab (disabled)" in listed
    assert "kubernetes (" not in listed
    assert "Enable gitlab: done" in hookwright_line.output("enable", "gitlab", *options)
    assert read_tables(kept) == build_tables([GITLAB, KUBERNETES])
    again = hookwright_line.error("enable", "gitlab", *options)
    assert "gitlab is already enabled" in again


def test_disabling_reports_slow_progress(hookwright_line: CommandLine, kept: Path) -> None:
    stages: list[tuple[str, int, int]] = []
    with listening(lambda *stage: stages.append(stage)):
        hookwright_line.run("disable", "gitlab", "--dry-run", "--project", kept)
    assert stages == [(f"Rendering {kept.name}", 0, 0)]


def test_route_is_disabled_temporarily(hookwright_line: CommandLine, kept: Path) -> None:
    output = hookwright_line.output(
        "disable", "github-pr", "--for", "2h", "--yes", "--project", kept
    )
    until = read_answers(kept)["routes"]["github-pr"]["disabled"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", until)
    period = f"until {until[:10]} {until[11:16]} UTC"
    assert f"Disable github-pr {period}: done" in output
    rows = {row["name"]: row for row in read_route_tables(kept).routes}
    assert rows["github-pr"]["disabled"] == until
    assert f"github-pr (disabled {period})" in hookwright_line.output("list", "--project", kept)
    listed = json.loads(hookwright_line.output("list", "--json", "--project", kept))
    assert listed["routes"]["github-pr"] == {**ROUTES["github-pr"], "disabled": until}
    tried = hookwright_line.output("try", "https://github.com/a/b/pull/1", "--project", kept)
    assert f"github-pr: matches, but is disabled {period}" in tried


def test_search_lists_disabled_databases(hookwright_line: CommandLine, kept: Path) -> None:
    hookwright_line.output("disable", "gitlab", "--for", "1d", "--yes", "--project", kept)
    tried = hookwright_line.output("try", "gitlab", "--project", kept)
    assert "Allowed by docsearch:\n  not gitlab: disabled until 2" in tried
    exported = json.loads(hookwright_line.output("try", "--json", "gitlab", "--project", kept))
    (veto,) = exported["hooks"][0]["vetoed"]
    assert veto["database"] == "gitlab"
    assert veto["why"].startswith("disabled until 2")
    tried = hookwright_line.output("try", "acme", "--project", kept)
    assert "  no keyword of my-hooks matches\n" in tried
    hookwright_line.output("disable", "kubernetes", "--yes", "--project", kept)
    tried = hookwright_line.output("try", "kubectl", "--project", kept)
    assert "  no keyword of my-hooks matches; disabled: kubernetes\n" in tried
    completed = hookwright_line.run("doctor", "--no-start", "--project", kept)
    assert "the hooks match the answers" in completed.output


@pytest.mark.long
def test_expired_record_is_enabled(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hookwright_line.output("disable", "gitlab", "--for", "1h", "--yes", "--project", kept)
    monkeypatch.setattr("hookwright.answers.disabling.is_over", lambda record: "disabled" in record)
    assert "(disabled" not in hookwright_line.output("list", "--project", kept)
    listed = json.loads(hookwright_line.output("list", "--json", "--project", kept))
    assert listed["databases"] == [GITLAB, KUBERNETES]
    assert "already enabled" in hookwright_line.error("enable", "gitlab", "--project", kept)
    hookwright_line.output("remove", "linear", "--yes", "--project", kept)
    assert read_answers(kept)["databases"] == [GITLAB, KUBERNETES]


def test_mistake_is_reported_in_one_line(hookwright_line: CommandLine, kept: Path) -> None:
    before = (kept / ".copier-answers.yml").read_bytes()
    for words, code, message in (
        (["disable", "gitlba"], 1, "no record named 'gitlba': did you mean gitlab?"),
        (["enable", "gitlba"], 1, "no record named 'gitlba': did you mean gitlab?"),
        (["disable", "gitlab", "--for", "soon"], 2, "such as 30m, 1h or 2d, got soon"),
        (["disable", "gitlab", "--fro", "1h"], 2, "unknown option --fro: did you mean --for?"),
        (["disable", "gitlab"], 2, "cannot prompt without a terminal: add --yes"),
        (["disable"], 2, "Missing argument"),
    ):
        assert message in hookwright_line.error(*words, "--project", kept, code=code)
        assert (kept / ".copier-answers.yml").read_bytes() == before


def test_option_values_are_checked(hookwright_line: CommandLine) -> None:
    for words, problem in (
        (("--for", ""), "expected a duration such as 30m, 1h or 2d, got an empty text"),
        (("--for", "1w"), "expected a duration such as 30m, 1h or 2d, got 1w"),
        (("--for", "99999999d"), "99999999d is too long: use at most 9999d"),
        (("--project", ""), "'--project': it is empty: name the folder of a project"),
    ):
        assert problem in hookwright_line.error("disable", "gitlab", *words, code=2)
