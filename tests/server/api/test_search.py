"""Prompts find lessons and skills."""

import asyncio
import json

import pytest
from starlette.testclient import TestClient

from hookwright_retrieval.embedders import EmbedderError
from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.api.search import run_search
from lesson_search.service.lesson_service import LessonService

from .requests import CACHE, DOCKER, list_found, send


def test_query_response_matches_the_documentation(filled: TestClient) -> None:
    answer = send(filled, "/api/query", {"prompt": CACHE})
    [lesson] = answer["lessons"]
    assert {**lesson, "score": 0, "created_at": ""} == {
        **DOCKER,
        "score": 0,
        "project": "",
        "source_file": "",
        "created_at": "",
    }
    assert 0.4 <= lesson["score"] <= 1
    assert answer["model"] == "wordllama"
    assert 0 < answer["query_time_ms"] < 1000
    assert set(answer) == {"lessons", "model", "query_time_ms"}


def test_query_selects_collections(filled: TestClient) -> None:
    body = {"prompt": "I need to review the pull request", "collections": ["lessons", "skills"]}
    results = send(filled, "/api/query", body)["results"]
    assert results["lessons"] == []
    [skill] = results["skills"]
    assert (skill["trigger"], skill["source"]) == ("/review-pr", "plugin:github-tools")
    only = send(filled, "/api/query", {"prompt": CACHE, "collections": ["lessons"]})["results"]
    assert [lesson["id"] for lesson in only["lessons"]] == ["docker"]
    assert "skills" not in only


def test_query_filters_by_limit_and_category(filled: TestClient) -> None:
    everything: dict[str, object] = {"min_score": 0}
    assert list_found(filled, CACHE) == ["docker"]
    assert list_found(filled, CACHE, **everything) == ["docker", "lesson-042"]
    assert list_found(filled, CACHE, **everything, top_k=1) == ["docker"]
    assert list_found(filled, CACHE, **everything, categories=["development"]) == ["lesson-042"]
    assert list_found(filled, CACHE, **everything, categories=["devops/doc"]) == []
    assert list_found(filled, CACHE, min_score=1) == []
    assert list_found(filled, "the weather in Berlin") == []


def test_category_prefix_may_end_with_a_slash(filled: TestClient) -> None:
    assert list_found(filled, CACHE, categories=["devops/"]) == ["docker"]
    assert filled.get("/api/lessons", params={"category": "devops/"}).json()["total"] == 2


def test_integer_may_be_written_as_a_float(filled: TestClient) -> None:
    assert list_found(filled, CACHE, min_score=0, top_k=1.0) == ["docker"]
    for wrong in (1.5, "1", True, 1e400):
        body = json.dumps({"prompt": CACHE, "top_k": wrong})
        response = filled.post(
            "/api/query", content=body, headers={"content-type": "application/json"}
        )
        assert response.status_code == 422


@pytest.mark.parametrize(
    "body",
    ["", '{"prompt": "x",}', "[]", "null", b'{"prompt": "\xff"}', "[" * 100_000],
    ids=["none", "broken", "list", "null", "encoding", "deep"],
)
def test_non_object_body_is_rejected_with_a_solution(api: TestClient, body: str | bytes) -> None:
    answer = api.post("/api/query", content=body, headers={"content-type": "application/json"})
    way_out = "send one, with Content-Type: application/json"
    assert answer.json() == {"detail": f"the body is not a JSON object: {way_out}"}
    assert answer.status_code in {400, 422}


def test_query_is_empty_while_the_embedder_is_down(
    filled: TestClient, embedder: WordLlamaEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_searches_wait_until_the_service_is_ready(service: LessonService) -> None:
    done: list[str] = []

    async def search(name: str) -> None:
        await run_search(service, lambda: done.append(name))

    async def answer() -> None:
        done.append("health")

    async def ask() -> None:
        await asyncio.gather(search("first"), search("second"), answer())

    asyncio.run(ask())
    assert done == ["health", "first", "second"]
