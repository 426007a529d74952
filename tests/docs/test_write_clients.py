"""The client page matches the recorded observations."""

import json

from docs.write_clients import PAGE, ROOT, ROWS, SEEN, list_gaps, write_page
from hookwright.answers.schema import read_schema
from hookwright.installer import registry


def test_page_is_up_to_date() -> None:
    same = PAGE.read_text("utf-8") == write_page()
    assert same, "docs/clients.md is not up to date: run .venv/bin/python docs/write_clients.py"


def test_every_client_has_observations() -> None:
    seen = json.loads(SEEN.read_text("utf-8"))
    clients = read_schema()["properties"]["clients"]["items"]["enum"]
    assert sorted(seen) == sorted(clients)
    for hooks in seen.values():
        for hook, behaviours in hooks.items():
            assert set(behaviours) <= set(ROWS[hook])


def test_unsupported_features_have_a_reason() -> None:
    assert list_gaps(json.loads(SEEN.read_text("utf-8"))) == set()


def test_gap_without_a_reason_is_found() -> None:
    assert list_gaps({"codex": {"docsearch": {"denied": False}}}) == {("docsearch", "denied")}


def test_readme_names_every_client() -> None:
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    titles = [client["title"] for client in registry.CLIENTS.values()]
    assert f"[clients](docs/clients.md): {', '.join(titles)}" in readme
