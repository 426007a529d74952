"""The interface tells what it has, and how it is."""

from starlette.testclient import TestClient


def test_methods_that_there_are_not_are_told(api: TestClient) -> None:
    for path, methods in {
        "/docs": "GET",
        "/api/query": "POST",
        "/api/lessons": "GET",
        "/api/lessons/a/b": "DELETE, GET, PUT",
    }.items():
        response = api.patch(path)
        assert (response.status_code, response.headers["allow"]) == (405, methods)
    assert response.json() == {"detail": "Method Not Allowed"}


def test_path_with_a_line_end_is_answered_as_json(api: TestClient) -> None:
    response = api.get("/api/lessons/%0A")
    assert (response.status_code, [*response.json()]) == (404, ["detail"])


def test_health_is_told(filled: TestClient) -> None:
    health = filled.get("/api/health").json()
    assert (health["status"], health["ollama"]) == ("healthy", "not used")
    assert (health["lesson_count"], health["skill_count"]) == (2, 1)
    assert (health["chromadb_collections"], health["model"]) == (2, "wordllama")
    assert health["uptime_seconds"] >= 0


def test_interface_is_documented_offline(api: TestClient) -> None:
    page = api.get("/docs").text
    assert "http://" not in page.replace("http://127.0.0.1", "")
    assert "https://" not in page
    schema = api.get("/openapi.json").json()
    examples = schema["components"]["schemas"]["IngestRequest"]["examples"]
    assert examples[0]["id"] == "lesson-042"
