"""In the real client, routes block a limited number of times, and the blocks are recorded."""

from pathlib import Path

import pytest

from ..support.project import render
from .clients.claude import Claude
from .routes import API, PULL_REQUEST, bash, fetch

PULLS = [fetch(f"https://github.com/octo/hello/pull/{number}") for number in range(1, 5)]
CURL = bash("curl -s https://api.github.com/users")


@pytest.fixture(scope="module")
def project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(
        template,
        tmp_path_factory.mktemp("limits") / "my-hooks",
        routes={"pull-request": PULL_REQUEST, "api": API},
        fatigue_limit=2,
        record_blocks=True,
    )


def read_record(client: Claude) -> list[list[str]]:
    folder = (client.config or client.home / ".claude") / "hooks"
    lines = (folder / "tool_routing-blocks.tsv").read_text().splitlines()
    return [line.split("\t") for line in lines]


def test_route_stops_blocking_within_a_session(installed: Claude) -> None:
    """After two blocks, a route lets calls through with a note; other routes still block.

    Each block is recorded, and a new session resets the count.
    """
    run = installed.converse(*([pull] for pull in PULLS), [CURL])
    first, second, third, fourth, other = run.main
    assert "gh pr view 1" in first.results[0].text
    assert "gh pr view 2" in second.results[0].text
    for decision in (third, fourth):
        assert "Unable to verify" in decision.results[0].text
        assert decision.notes.count("Let through: pull-request has blocked 2 calls") == 1
    assert "Better: gh api users" in other.results[0].text
    assert run.last.count("Better: gh pr view") == 2
    record = read_record(installed)
    blocks = [["pull-request", "WebFetch"], ["pull-request", "WebFetch"], ["api", "Bash"]]
    assert [columns[1:] for columns in record] == blocks
    assert all(columns[0].endswith("Z") for columns in record)
    again = installed.converse(*([pull] for pull in PULLS[:3]))
    assert ["Better" in decision.text for decision in again.main] == [True, True, False]


def test_parallel_blocks_are_all_counted_and_recorded(installed: Claude) -> None:
    (decision,) = installed.converse([*PULLS, CURL]).main
    assert sum("Better: gh pr" in result.text for result in decision.results) == 2
    assert decision.notes.count("Let through: pull-request") == 2
    assert sorted(columns[1] for columns in read_record(installed)) == [
        "api",
        "pull-request",
        "pull-request",
    ]
