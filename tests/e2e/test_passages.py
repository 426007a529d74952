"""In each other client that reports searches to hooks, a denial answers the search."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hookwright_documentation.databases import CURRENT, INDEX_FILE
from hookwright_documentation.index import build_index

from ..documentation.index.passages import COOKING
from ..support.dialects import SEARCHING
from ..support.project import INDEXED, render
from .clients.client import Client
from .model import TASK

ANSWERS = {
    "acme: bake until the crust is brown": "Bake at 220 degrees until the crust is brown.",
    "acme: knead flour and water": "Knead flour, water and yeast.",
    "acme: pasta shortly before the broth is served": "Add pasta to the broth shortly before",
}
UNCOVERED = "acme jobs and salary in berlin"
QUOTED = "third-party text between ===="


@pytest.fixture(scope="module")
def indexed_project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("indexed") / "my-hooks"
    return render(template, folder, clients=SEARCHING, databases=[INDEXED])


def place_database(client: Client) -> None:
    folder = Path(client.environment["XDG_DATA_HOME"], "hookwright", "docs", "acme")
    (folder / "1").mkdir(parents=True)
    (folder / CURRENT).write_text("1\n")
    about = {"name": "acme", "version": "1.2", "heading": "Acme 1.2 documentation"}
    build_index(COOKING, [], folder / "1" / INDEX_FILE, about)
    for path in (folder / CURRENT, folder / "1" / INDEX_FILE):
        path.chmod(0o600)


@pytest.mark.parametrize("name", SEARCHING)
def test_denied_searches_are_answered(
    name: str, set_up: Callable[[str], Client], indexed_project: Path
) -> None:
    client = set_up(name).install(indexed_project)
    place_database(client)
    searches = [call for query in ANSWERS if (call := client.search(query))]
    uncovered = client.search(UNCOVERED)
    assert uncovered
    assert len(searches) == len(ANSWERS)
    run = client.converse(
        searches,
        [searches[0], uncovered],
        *client.delegate(f"{TASK} 1: bake bread."),
        subagent_script=[[searches[0]]],
    )
    denied, later = run.main[:2]
    for answer, result in zip(ANSWERS.values(), denied.results, strict=True):
        assert answer in result.text
        assert result.text.count(QUOTED) == 1
        assert answer not in denied.notes
    assert not any(QUOTED in result.text for result in later.results)
    (denial,) = [
        result.text for turns in run.subagents for turn in turns for result in turn.results
    ]
    assert next(iter(ANSWERS.values())) in denial
