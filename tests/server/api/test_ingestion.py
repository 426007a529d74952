"""Lessons and skills are added, classified and rejected."""

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from starlette.testclient import TestClient

from .requests import DOCKER, HEAP, MADE_UP, REVIEW, send


def test_ingest_adds_or_updates(api: TestClient) -> None:
    added = send(api, "/api/ingest", HEAP)
    assert added == {
        "id": "lesson-042",
        "categories": HEAP["categories"],
        "status": "upserted",
        "change": "added",
    }
    assert send(api, "/api/ingest", HEAP)["change"] == "unchanged"
    moment = api.get("/api/lessons/lesson-042").json()["created_at"]
    assert send(api, "/api/ingest", {**HEAP, "text": "Another."})["change"] == "updated"
    stored = api.get("/api/lessons/lesson-042").json()
    assert (stored["text"], stored["created_at"]) == ("Another.", moment)


def test_ingest_assigns_missing_ids_and_categories(api: TestClient) -> None:
    first, again = (send(api, "/api/ingest", {"text": DOCKER["text"]}) for _ in range(2))
    assert (first["id"], first["change"]) == ("the-docker-build-cache-is-lost-by-copy", "added")
    assert (again["id"], again["change"]) == (first["id"], "unchanged")
    assert first["categories"] == ["devops/docker"]
    assert api.get(f"/api/lessons/{first['id']}").json()["classified"] is True
    send(api, "/api/ingest", {**DOCKER, "id": first["id"], "categories": ["workflow"]})
    again = send(api, "/api/ingest", {"id": first["id"], "text": DOCKER["text"]})
    assert (again["change"], again["categories"]) == ("unchanged", ["workflow"])


def test_concurrent_additions_without_an_id_lose_nothing(api: TestClient) -> None:
    texts = [f"Pin the base image. Reason {number // 2}." for number in range(16)]
    with ThreadPoolExecutor(8) as pool:
        added = [*pool.map(lambda text: send(api, "/api/ingest", {"text": text}), texts)]
    assert Counter(each["change"] for each in added) == {"added": 8, "unchanged": 8}
    stored = {row["id"]: row["text"] for row in api.get("/api/lessons").json()["records"]}
    assert sorted(stored.values()) == sorted(set(texts))
    assert [stored[each["id"]] for each in added] == texts


def test_bulk_rejects_only_invalid_records(api: TestClient) -> None:
    dated = {**HEAP, "created_at": "2025-11-15T10:30:00Z"}
    wrong = [{"text": " "}, {"text": "x", "categories": ["No path"]}, {"text": MADE_UP}]
    answer = send(api, "/api/ingest/bulk", {"lessons": [dated, *wrong, REVIEW]})
    assert (answer["ingested"], answer["errors"]) == (2, 3)
    assert [result["change"] for result in answer["results"]] == [
        "added",
        *["refused"] * 3,
        "added",
    ]
    reasons = [result["reason"] for result in answer["results"]]
    assert [bool(reason) for reason in reasons] == [False, True, True, True, False]
    assert "GitHub token" in reasons[3]
    stored = api.get("/api/lessons/lesson-042").json()
    unset = {"classified": False, "project": ""}
    assert stored == {**dated, **unset, "ingested": stored["ingested"]}


def test_bulk_keeps_its_order(api: TestClient) -> None:
    bulk = [{"id": "o", "text": "first", "force": True}, {"id": "o", "text": "second"}]
    send(api, "/api/ingest/bulk", {"lessons": bulk})
    assert api.get("/api/lessons/o").json()["text"] == "second"


def test_secret_is_rejected_unless_forced(api: TestClient) -> None:
    body = {"id": "key", "text": f"The bot uses {MADE_UP} for now.", "categories": ["devops"]}
    refusal = send(api, "/api/ingest", body, 409)["detail"]
    assert "a GitHub token" in refusal
    assert MADE_UP not in refusal
    assert send(api, "/api/ingest", {**body, "force": True})["change"] == "added"
    answer = send(api, "/api/ingest/bulk", {"lessons": [{**body, "id": "2", "force": True}]})
    assert answer["ingested"] == 1


def test_accepted_secret_is_not_rejected_again(api: TestClient) -> None:
    send(api, "/api/ingest", {"id": "k", "text": MADE_UP, "categories": ["x"], "force": True})
    assert api.put("/api/lessons/k", json={"categories": ["y"]}).status_code == 200
    assert "GitHub" in send(api, "/api/ingest", {"id": MADE_UP, "text": "x"}, 409)["detail"]
    url = {"text": "x", "source_file": "https://bot:8hA2kQ9x@git.example.com/a.md"}
    assert "password" in send(api, "/api/ingest", url, 409)["detail"]


def test_manual_categories_survive_a_text_change(filled: TestClient) -> None:
    changed = {"id": "docker", "text": "A React component renders twice."}
    assert send(filled, "/api/ingest", changed)["categories"] == ["devops/docker"]
    bulk = [{**DOCKER, "categories": ["acme"]}, changed]
    answer = send(filled, "/api/ingest/bulk", {"lessons": bulk})
    assert [result["categories"] for result in answer["results"]] == [["acme"], ["acme"]]


def test_unclassifiable_record_is_not_reclassified(api: TestClient) -> None:
    body = {"id": "x", "text": DOCKER["text"], "categories": [], "classified": True}
    assert send(api, "/api/ingest", body)["categories"] == []
    assert send(api, "/api/ingest", body)["change"] == "unchanged"


def test_custom_taxonomy_takes_effect_immediately(api: TestClient, tmp_path: Path) -> None:
    text = {"text": "The giraffe needs a taller door than the elephant."}
    assert send(api, "/api/ingest", text)["categories"] != ["zoo/animals"]
    own = tmp_path / "db" / "taxonomy.yml"
    own.write_text("zoo/animals: [giraffe, elephant]\n")
    text["text"] += " Ask them."
    assert send(api, "/api/ingest", text)["categories"] == ["zoo/animals"]
    for broken in ("a b: [x]\n", "[" * 1000):
        own.write_text(broken)
        os.utime(own, ns=(0, len(broken)))
        text["text"] += " Twice."
        assert str(own) in send(api, "/api/ingest", text, 409)["detail"]


def test_categories_are_limited(api: TestClient) -> None:
    many = [f"c{number}" for number in range(21)]
    assert (
        "21 categories"
        in send(api, "/api/ingest", {"text": "x", "categories": many}, 409)["detail"]
    )
    send(api, "/api/ingest", {"text": "x", "categories": ["c" * 201]}, 409)
    send(api, "/api/query", {"prompt": "x", "categories": many}, 422)


def test_recategorize_keeps_manual_categories(filled: TestClient) -> None:
    text = "kubectl drain hangs on pods with a disruption budget."
    misfiled = {"id": "drain", "text": text, "categories": ["workflow"]}
    send(filled, "/api/ingest/bulk", {"lessons": [{**misfiled, "classified": True}]})
    by_hand = {"id": "own", "text": text, "categories": ["acme"]}
    send(filled, "/api/ingest", by_hand)
    for preview in (True, False):
        [moved] = send(filled, "/api/recategorize", {"preview": preview})["moved"]
        assert (moved["id"], moved["before"]) == ("drain", ["workflow"])
    assert send(filled, "/api/recategorize", {})["moved"] == []
    assert filled.get("/api/lessons/own").json()["categories"] == ["acme"]
    moved = send(filled, "/api/recategorize", {"by_hand": True})["moved"]
    assert "own" in [lesson["id"] for lesson in moved]
