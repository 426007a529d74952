"""What each request is answered with, as the interface is documented."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hookwright_retrieval.embedders import EmbedderError
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.api.app import build_app
from lesson_search.lesson_service import LessonService

HEAP = {
    "id": "lesson-042",
    "text": "When the frontend CI build fails with ENOMEM, increase the Node heap size.",
    "categories": ["devops/ci-cd", "development/frontend/build"],
    "source_file": "lessons/ci-fixes.md",
}
DOCKER = {
    "id": "docker",
    "text": "The Docker build cache is lost by COPY . before npm ci.",
    "categories": ["devops/docker"],
}
# As the architecture of the lesson search has it.
REVIEW = {
    "id": "skill-review-pr",
    "text": "Review a GitHub pull request. Fetches the diff. Usage: /review-pr <number>",
    "categories": ["workflow/code-review", "development/tooling/git"],
    "metadata": {
        "skill_name": "review-pr",
        "trigger": "/review-pr",
        "source": "plugin:github-tools",
    },
}
CACHE = "why is the docker build cache lost"
MADE_UP = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


@pytest.fixture
def api(service: LessonService) -> TestClient:
    """Return a client of an empty server."""
    return TestClient(build_app(service), base_url="http://127.0.0.1:7731")


@pytest.fixture
def filled(api: TestClient) -> TestClient:
    """Return a client of a server with two lessons and a skill."""
    send(api, "/api/ingest/bulk", {"lessons": [HEAP, DOCKER, REVIEW]})
    return api


def send(api: TestClient, path: str, body: object, status: int = 200) -> Any:
    """Return what a POST is answered with."""
    response = api.post(path, json=body)
    assert response.status_code == status, response.text
    return response.json()


def list_found(api: TestClient, prompt: str, **options: object) -> list[str]:
    """Return the ids of the lessons that a query finds."""
    found = send(api, "/api/query", {"prompt": prompt, **options})["lessons"]
    return [lesson["id"] for lesson in found]


def test_query_answers_as_documented(filled: TestClient) -> None:
    """A lesson that matters comes with its fields and its score, and what embedded the prompt."""
    answer = send(filled, "/api/query", {"prompt": CACHE})
    [lesson] = answer["lessons"]
    assert {**lesson, "score": 0, "created_at": ""} == {
        **DOCKER,
        "score": 0,
        "source_file": "",
        "created_at": "",
    }
    assert 0.4 <= lesson["score"] <= 1
    assert answer["model"] == "wordllama"
    assert 0 < answer["query_time_ms"] < 1000
    assert set(answer) == {"lessons", "model", "query_time_ms"}


def test_query_by_collections(filled: TestClient) -> None:
    """A query that names collections is answered by collection."""
    body = {"prompt": "I need to review the pull request", "collections": ["lessons", "skills"]}
    results = send(filled, "/api/query", body)["results"]
    assert results["lessons"] == []
    [skill] = results["skills"]
    assert (skill["trigger"], skill["source"]) == ("/review-pr", "plugin:github-tools")
    only = send(filled, "/api/query", {"prompt": CACHE, "collections": ["lessons"]})["results"]
    assert [lesson["id"] for lesson in only["lessons"]] == ["docker"]
    assert "skills" not in only


def test_query_narrows(filled: TestClient) -> None:
    """The number, the categories by prefix and the least score narrow what is found."""
    everything: dict[str, object] = {"min_score": 0}
    assert list_found(filled, CACHE) == ["docker"]
    assert list_found(filled, CACHE, **everything) == ["docker", "lesson-042"]
    assert list_found(filled, CACHE, **everything, top_k=1) == ["docker"]
    assert list_found(filled, CACHE, **everything, categories=["development"]) == ["lesson-042"]
    assert list_found(filled, CACHE, **everything, categories=["devops/doc"]) == []
    assert list_found(filled, CACHE, min_score=1) == []
    assert list_found(filled, "the weather in Berlin") == []


def test_whole_number_may_be_written_with_a_point(filled: TestClient) -> None:
    """A number is whole as JSON has it: 1.0 is 1, and neither 1.5 nor "1" is whole."""
    assert list_found(filled, CACHE, min_score=0, top_k=1.0) == ["docker"]
    for wrong in (1.5, "1", True, 1e400):
        body = json.dumps({"prompt": CACHE, "top_k": wrong})
        response = filled.post(
            "/api/query", content=body, headers={"content-type": "application/json"}
        )
        assert response.status_code == 422


def test_query_is_empty_while_the_embedder_is_down(
    filled: TestClient, embedder: WordLlamaEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the embedder is down nothing is found, nothing can be added, and health says so."""

    def fail(*_: object) -> None:
        raise EmbedderError("nobody is there: start it")

    for name in ("embed_query", "embed_documents"):
        monkeypatch.setattr(embedder, name, fail)
    monkeypatch.setattr(embedder, "is_up", False)
    assert list_found(filled, CACHE) == []
    refused = send(filled, "/api/ingest", {"text": "Something new.", "categories": ["devops"]}, 503)
    assert refused == {"detail": "nobody is there: start it"}
    health = filled.get("/api/health").json()
    assert (health["status"], health["embedder"]) == ("degraded", "down")


def test_ingest_upserts(api: TestClient) -> None:
    """A lesson is added once, is unchanged when it comes again, and is updated by its id."""
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


def test_ingest_without_id_or_categories(api: TestClient) -> None:
    """A lesson without an id gets a new one, one without categories those that fit."""
    first, second = (send(api, "/api/ingest", {"text": DOCKER["text"]}) for _ in range(2))
    assert first["id"] != second["id"]
    assert first["categories"] == ["devops/docker"]
    assert api.get(f"/api/lessons/{first['id']}").json()["classified"] is True
    send(api, "/api/ingest", {**DOCKER, "id": first["id"], "categories": ["workflow"]})
    again = send(api, "/api/ingest", {"id": first["id"], "text": DOCKER["text"]})
    assert (again["change"], again["categories"]) == ("unchanged", ["workflow"])


def test_bulk_refuses_only_what_is_wrong(api: TestClient) -> None:
    """Of many records those that are right are taken, each with its fields; the others say why."""
    dated = {**HEAP, "created_at": "2025-11-15T10:30:00Z"}
    wrong = [{"text": " "}, {"text": "x", "categories": ["No path"]}, {"text": MADE_UP}]
    answer = send(api, "/api/ingest/bulk", {"lessons": [dated, *wrong, REVIEW]})
    assert (answer["ingested"], answer["errors"]) == (2, 3)
    assert [one["change"] for one in answer["results"]] == ["added", *["refused"] * 3, "added"]
    reasons = [one["reason"] for one in answer["results"]]
    assert [bool(reason) for reason in reasons] == [False, True, True, True, False]
    assert "GitHub token" in reasons[3]
    stored = api.get("/api/lessons/lesson-042").json()
    assert stored == {**dated, "classified": False, "ingested": stored["ingested"]}


def test_secret_is_refused_unless_forced(api: TestClient) -> None:
    """A lesson that seems to hold a secret is taken only where somebody insists."""
    body = {"id": "key", "text": f"The bot uses {MADE_UP} for now.", "categories": ["devops"]}
    refusal = send(api, "/api/ingest", body, 409)["detail"]
    assert "a GitHub token" in refusal
    assert MADE_UP not in refusal
    assert send(api, "/api/ingest", {**body, "force": True})["change"] == "added"
    answer = send(api, "/api/ingest/bulk", {"lessons": [{**body, "id": "2", "force": True}]})
    assert answer["ingested"] == 1


def test_put_changes_only_what_it_names(filled: TestClient) -> None:
    """A lesson keeps what a change does not name, and is found by its new text."""
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
def test_put_is_refused(filled: TestClient, body: dict[str, object], reason: str) -> None:
    """A change that cannot be meant changes nothing, and says why."""
    before = filled.get("/api/lessons/docker").json()
    response = filled.put("/api/lessons/docker", json=body)
    assert response.status_code in {409, 422}
    assert reason in response.json()["detail"]
    assert filled.get("/api/lessons/docker").json() == before


def test_other_fields_of_a_skill_are_changed(filled: TestClient) -> None:
    """A skill gets another trigger and another source, which are checked."""
    changes = {"trigger": "/look", "source": "plugin:other"}
    put = filled.put("/api/skills/skill-review-pr", json=changes)
    assert put.json()["status"] == "updated"
    stored = filled.get("/api/skills/skill-review-pr").json()
    assert (stored["trigger"], stored["source"]) == ("/look", "plugin:other")
    for wrong in ({"trigger": "a\nb"}, {"source": "a\nb"}):
        assert filled.put("/api/skills/skill-review-pr", json=wrong).status_code == 409


def test_methods_that_there_are_not_are_told(api: TestClient) -> None:
    """A path that is asked by a method that it has not is refused, and says which it has."""
    for path, methods in {
        "/docs": "GET",
        "/api/query": "POST",
        "/api/lessons": "GET",
        "/api/lessons/a/b": "DELETE, GET, PUT",
    }.items():
        response = api.patch(path)
        assert (response.status_code, response.headers["allow"]) == (405, methods)
    assert response.json() == {"detail": "Method Not Allowed"}


def test_delete_removes(filled: TestClient) -> None:
    """What is deleted is found no more, and is unknown from then on."""
    assert filled.delete("/api/lessons/docker").json() == {"id": "docker", "status": "deleted"}
    assert list_found(filled, CACHE) == []
    for method in ("GET", "DELETE"):
        assert filled.request(method, "/api/lessons/docker").status_code == 404
    assert filled.put("/api/lessons/docker", json={"text": "x"}).status_code == 404
    assert filled.delete("/api/skills/skill-review-pr").status_code == 200


@pytest.mark.parametrize("name", ["a/b c", "ä?#&+", "..", "a//b", "c++"])
def test_any_id_can_be_asked_for(api: TestClient, name: str) -> None:
    """A record is found by its id, whatever characters that has."""
    send(api, "/api/ingest", {"id": name, "text": "x", "categories": ["devops"]})
    path = "/api/lessons/" + "".join(f"%{byte:02X}" for byte in name.encode())
    assert api.get(path).json()["id"] == name
    assert api.delete(path).status_code == 200


@pytest.mark.parametrize("collection", ["lessons", "skills"])
@pytest.mark.parametrize("name", [".", "..", "-", "a/b"])
def test_id_as_a_parameter(api: TestClient, collection: str, name: str) -> None:
    """A record is shown, changed and deleted by an id that a browser leaves out of a path."""
    trigger = {"trigger": "/x"} if collection == "skills" else {}
    send(api, "/api/ingest", {"id": name, "text": "x", "categories": ["devops"], **trigger})
    path, parameters = f"/api/{collection}/-", {"id": name}
    assert api.get(path, params=parameters).json()["id"] == name
    assert api.put(path, params=parameters, json={"text": "y"}).json()["id"] == name
    assert api.get(path, params=parameters).json()["text"] == "y"
    assert api.delete(path, params=parameters).json()["id"] == name
    assert api.get(path, params=parameters).status_code == 404


def test_records_are_listed_by_pages(filled: TestClient) -> None:
    """Lessons are listed in the order of their ids, by pages, and by category."""
    first = filled.get("/api/lessons", params={"limit": 1}).json()
    assert ([one["id"] for one in first["records"]], first["total"]) == (["docker"], 2)
    rest = filled.get("/api/lessons", params={"after": first["next"]}).json()
    assert ([one["id"] for one in rest["records"]], rest["next"]) == (["lesson-042"], None)
    narrow = filled.get("/api/lessons", params={"category": "development"}).json()
    assert [one["id"] for one in narrow["records"]] == ["lesson-042"]
    assert filled.get("/api/skills").json()["records"][0]["trigger"] == "/review-pr"


def test_categories_are_counted(filled: TestClient) -> None:
    """Each category comes with the number of lessons in it or below it."""
    assert filled.get("/api/categories").json() == {
        "categories": {
            "development": 1,
            "development/frontend": 1,
            "development/frontend/build": 1,
            "devops": 2,
            "devops/ci-cd": 1,
            "devops/docker": 1,
        }
    }


def test_recategorize_leaves_what_a_hand_sorted(filled: TestClient) -> None:
    """Only what the classifier sorted is sorted anew, and a preview changes nothing."""
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
    assert "own" in [one["id"] for one in moved]


def test_health_is_told(filled: TestClient) -> None:
    """Health tells what is there, and that Ollama is not used where it is not."""
    health = filled.get("/api/health").json()
    assert (health["status"], health["ollama"]) == ("healthy", "not used")
    assert (health["lesson_count"], health["skill_count"]) == (2, 1)
    assert (health["chromadb_collections"], health["model"]) == (2, "wordllama")
    assert health["uptime_seconds"] >= 0


def test_interface_is_documented_offline(api: TestClient) -> None:
    """The page that documents the interface takes nothing from other hosts; examples are there."""
    page = api.get("/docs").text
    assert "http://" not in page.replace("http://127.0.0.1", "")
    assert "https://" not in page
    schema = api.get("/openapi.json").json()
    examples = schema["components"]["schemas"]["IngestRequest"]["examples"]
    assert examples[0]["id"] == "lesson-042"


def test_emptied_categories_are_found_anew(filled: TestClient) -> None:
    """Categories that are taken away are found anew, and so are found ones for another text."""
    put = filled.put("/api/lessons/lesson-042", json={"categories": []}).json()
    assert put["categories"] not in ([], HEAP["categories"])
    assert filled.get("/api/lessons/lesson-042").json()["classified"] is True
    put = filled.put("/api/lessons/lesson-042", json={"text": DOCKER["text"]}).json()
    assert put["categories"] == ["devops/docker"]


def test_hand_is_kept_for_a_new_text(filled: TestClient) -> None:
    """What a hand has sorted stays where it is when it is ingested anew with another text."""
    changed = {"id": "docker", "text": "A React component renders twice."}
    assert send(filled, "/api/ingest", changed)["categories"] == ["devops/docker"]
    bulk = [{**DOCKER, "categories": ["acme"]}, changed]
    answer = send(filled, "/api/ingest/bulk", {"lessons": bulk})
    assert [one["categories"] for one in answer["results"]] == [["acme"], ["acme"]]


def test_what_fits_nowhere_is_not_sorted_again(api: TestClient) -> None:
    """What was sorted, and fitted nowhere, comes back from an export as it was."""
    body = {"id": "x", "text": DOCKER["text"], "categories": [], "classified": True}
    assert send(api, "/api/ingest", body)["categories"] == []
    assert send(api, "/api/ingest", body)["change"] == "unchanged"


def test_bulk_is_taken_in_its_order(api: TestClient) -> None:
    """Of two records of one id the last counts, whichever of them is forced."""
    bulk = [{"id": "o", "text": "first", "force": True}, {"id": "o", "text": "second"}]
    send(api, "/api/ingest/bulk", {"lessons": bulk})
    assert api.get("/api/lessons/o").json()["text"] == "second"


def test_secret_is_asked_about_once(api: TestClient) -> None:
    """What was forced can be changed elsewhere; an id or a source may hold a secret as well."""
    send(api, "/api/ingest", {"id": "k", "text": MADE_UP, "categories": ["x"], "force": True})
    assert api.put("/api/lessons/k", json={"categories": ["y"]}).status_code == 200
    assert "GitHub" in send(api, "/api/ingest", {"id": MADE_UP, "text": "x"}, 409)["detail"]
    url = {"text": "x", "source_file": "https://bot:8hA2kQ9x@git.example.com/a.md"}
    assert "password" in send(api, "/api/ingest", url, 409)["detail"]


def test_own_taxonomy_counts_at_once(api: TestClient, tmp_path: Path) -> None:
    """A taxonomy that the user writes counts for the next lesson; one that is broken is told."""
    text = {"text": "The giraffe needs a taller door than the elephant."}
    assert send(api, "/api/ingest", text)["categories"] != ["zoo/animals"]
    own = tmp_path / "db" / "taxonomy.yml"
    own.write_text("zoo/animals: [giraffe, elephant]\n")
    assert send(api, "/api/ingest", text)["categories"] == ["zoo/animals"]
    for broken in ("a b: [x]\n", "[" * 1000):
        own.write_text(broken)
        os.utime(own, ns=(0, len(broken)))
        assert str(own) in send(api, "/api/ingest", text, 409)["detail"]


def test_categories_are_limited(api: TestClient) -> None:
    """No request has so many or such long categories that others would wait for it."""
    many = [f"c{number}" for number in range(21)]
    assert (
        "21 categories"
        in send(api, "/api/ingest", {"text": "x", "categories": many}, 409)["detail"]
    )
    send(api, "/api/ingest", {"text": "x", "categories": ["c" * 201]}, 409)
    send(api, "/api/query", {"prompt": "x", "categories": many}, 422)


def test_prefix_may_end_with_a_slash(filled: TestClient) -> None:
    """A prefix is the same with a slash at its end, as people write folders."""
    assert list_found(filled, CACHE, categories=["devops/"]) == ["docker"]
    assert filled.get("/api/lessons", params={"category": "devops/"}).json()["total"] == 2
