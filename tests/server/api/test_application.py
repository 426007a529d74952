"""The API documents itself and reports its health."""

from starlette.testclient import TestClient


def test_missing_methods_are_reported(api: TestClient) -> None:
    for path, methods in {
        "/docs": "GET",
        "/api/query": "POST",
        "/api/lessons": "GET",
        "/api/lessons/a/b": "DELETE, GET, PUT",
    }.items():
        response = api.patch(path)
        assert (response.status_code, response.headers["allow"]) == (405, methods)
    assert response.json() == {"detail": "Method Not Allowed"}


def test_path_with_a_newline_is_answered_as_json(api: TestClient) -> None:
    response = api.get("/api/lessons/%0A")
    assert (response.status_code, [*response.json()]) == (404, ["detail"])


def test_health_is_reported(filled: TestClient) -> None:
    health = filled.get("/api/health").json()
    assert (health["status"], health["ollama"]) == ("healthy", "not used")
    assert (health["lesson_count"], health["skill_count"]) == (2, 1)
    assert (health["chromadb_collections"], health["model"]) == (2, "wordllama")
    assert health["uptime_seconds"] >= 0


def test_api_documentation_works_offline(api: TestClient) -> None:
    page = api.get("/docs").text
    assert "http://" not in page.replace("http://127.0.0.1", "")
    assert "https://" not in page
    schema = api.get("/openapi.json").json()
    examples = schema["components"]["schemas"]["IngestRequest"]["examples"]
    assert examples[0]["id"] == "lesson-042"
