"""Each real client handles each hook as docs/clients.json states, the source of docs/clients.md."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ..support.project import GITLAB, ROOT, render
from .clients import CLIENTS
from .clients.client import Client
from .scenes import ROUTES, SCENES, Seen

TABLE = ROOT / "docs" / "clients.json"


@pytest.fixture(scope="module")
def every_client(
    template: Path, lesson_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    return render(
        template,
        tmp_path_factory.mktemp("every-client") / "my-hooks",
        clients=list(CLIENTS),
        databases=[GITLAB],
        routes=ROUTES,
        prompt_hints=True,
        check_every_command=True,
        lesson_server_url=lesson_server,
    )


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("name", CLIENTS)
def test_client_matches_the_table(
    name: str,
    scene: str,
    every_client: Path,
    set_up: Callable[[str], Client],
    request: pytest.FixtureRequest,
) -> None:
    seen = SCENES[scene](set_up(name), every_client)
    table: dict[str, Seen] = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    if request.config.getoption("--record", default=False):
        write_seen(table, name, seen)
    listed = table.get(name, {})
    expected = {
        row: {what: listed.get(row, {}).get(what) for what in behaviour}
        for row, behaviour in seen.items()
    }
    assert seen == expected, "the table has other observations: run make clients"


def write_seen(table: dict[str, Seen], name: str, seen: Seen) -> None:
    for row, behaviour in seen.items():
        table.setdefault(name, {}).setdefault(row, {}).update(behaviour)
    TABLE.write_text(json.dumps(table, indent=2, sort_keys=True) + "\n")
