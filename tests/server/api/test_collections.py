"""Records can be listed, shown, changed and deleted."""

import pytest
from starlette.testclient import TestClient

from .requests import CACHE, DOCKER, HEAP, MADE_UP, list_found, send


def test_records_are_paginated(filled: TestClient) -> None:
    first = filled.get("/api/lessons", params={"limit": 1}).json()
    assert ([record["id"] for record in first["records"]], first["total"]) == (["docker"], 2)
    rest = filled.get("/api/lessons", params={"after": first["next"]}).json()
    assert ([record["id"] for record in rest["records"]], rest["next"]) == (["lesson-042"], None)
    narrow = filled.get("/api/lessons", params={"category": "development"}).json()
    assert [record["id"] for record in narrow["records"]] == ["lesson-042"]
    assert filled.get("/api/skills").json()["records"][0]["trigger"] == "/review-pr"


def test_lessons_are_counted_per_category(filled: TestClient) -> None:
    assert filled.get("/api/categories").json() == {
        "categories": {
            "development": 1,
            "development/frontend": 1,
            "development/frontend/build": 1,
            "devops": 2,
            "devops/ci-cd": 1,
            "devops/docker": 1,
        },
        "first": {"devops": 2, "devops/ci-cd": 1, "devops/docker": 1},
        "projects": {},
    }


def test_put_changes_only_named_fields(filled: TestClient) -> None:
    put = filled.put("/api/lessons/docker", json={"text": "Probes need a longer timeout."})
    assert put.json()["status"] == "updated"
    assert list_found(filled, CACHE) == []
    assert list_found(filled, "which timeout do the probes need") == ["docker"]
    stored = filled.get("/api/lessons/docker").json()
    assert stored["categories"] == DOCKER["categories"]
    filled.put("/api/lessons/docker", json={"categories": ["workflow"]})
    assert filled.get("/api/lessons/docker").json()["text"] == "Probes need a longer timeout."


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({}, "no changes"),
        ({"trigger": "/x"}, "trigger: Extra inputs"),
        ({"categories": ["A b"]}, "got 'A b'"),
        ({"text": " "}, "the text is empty"),
        ({"text": MADE_UP}, "a GitHub token"),
        ({"name": "x"}, "name"),
    ],
)
def test_invalid_put_is_rejected(filled: TestClient, body: dict[str, object], reason: str) -> None:
    before = filled.get("/api/lessons/docker").json()
    response = filled.put("/api/lessons/docker", json=body)
    assert response.status_code in {409, 422}
    assert reason in response.json()["detail"]
    assert filled.get("/api/lessons/docker").json() == before


def test_other_skill_fields_can_be_changed(filled: TestClient) -> None:
    changes = {"trigger": "/look", "source": "plugin:other"}
    put = filled.put("/api/skills/skill-review-pr", json=changes)
    assert put.json()["status"] == "updated"
    stored = filled.get("/api/skills/skill-review-pr").json()
    assert (stored["trigger"], stored["source"]) == ("/look", "plugin:other")
    for wrong in ({"trigger": "a\nb"}, {"source": "a\nb"}):
        assert filled.put("/api/skills/skill-review-pr", json=wrong).status_code == 409


def test_cleared_categories_are_reclassified(filled: TestClient) -> None:
    put = filled.put("/api/lessons/lesson-042", json={"categories": []}).json()
    assert put["categories"] not in ([], HEAP["categories"])
    assert filled.get("/api/lessons/lesson-042").json()["classified"] is True
    put = filled.put("/api/lessons/lesson-042", json={"text": DOCKER["text"]}).json()
    assert put["categories"] == ["devops/docker"]


def test_delete_removes_the_record(filled: TestClient) -> None:
    assert filled.delete("/api/lessons/docker").json() == {"id": "docker", "status": "deleted"}
    assert list_found(filled, CACHE) == []
    for method in ("GET", "DELETE"):
        assert filled.request(method, "/api/lessons/docker").status_code == 404
    assert filled.put("/api/lessons/docker", json={"text": "x"}).status_code == 404
    assert filled.delete("/api/skills/skill-review-pr").status_code == 200


@pytest.mark.parametrize("name", ["a/b c", "ä?#&+", "..", "a//b", "c++"])
def test_any_id_can_be_requested(api: TestClient, name: str) -> None:
    send(api, "/api/ingest", {"id": name, "text": "x", "categories": ["devops"]})
    path = "/api/lessons/" + "".join(f"%{byte:02X}" for byte in name.encode())
    assert api.get(path).json()["id"] == name
    assert api.delete(path).status_code == 200


@pytest.mark.parametrize(("collection", "name"), [("lessons", ".."), ("skills", "a/b")])
def test_id_may_be_a_query_parameter(api: TestClient, collection: str, name: str) -> None:
    trigger = {"trigger": "/x"} if collection == "skills" else {}
    send(api, "/api/ingest", {"id": name, "text": "x", "categories": ["devops"], **trigger})
    path, parameters = f"/api/{collection}/-", {"id": name}
    assert api.get(path, params=parameters).json()["id"] == name
    assert api.put(path, params=parameters, json={"text": "y"}).json()["id"] == name
    assert api.get(path, params=parameters).json()["text"] == "y"
    assert api.delete(path, params=parameters).json()["id"] == name
    assert api.get(path, params=parameters).status_code == 404
