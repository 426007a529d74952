"""The server answers a client's hook events."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from lesson_search.records import Lesson, Skill
from lesson_search.server.application import build_app
from lesson_search.service.lesson_service import LessonService

from ...support.hypothesis_profiles import examples

PATH = "/hooks/user-prompt-submit"
CACHE = "why is the docker build cache lost"
LESSONS = [
    Lesson("docker", "The Docker build cache is lost by COPY . before npm ci.", ("devops/docker",)),
    Lesson("order", "Docker loses its build cache if COPY comes too early: order the lines."),
    Lesson("redis", "Redis evicts keys once its memory is full."),
]
SKILL = Skill("cache", "Find out why a Docker build cache is lost.", trigger="/docker-cache")


@pytest.fixture
def api(service: LessonService) -> TestClient:
    service.lessons.ingest(LESSONS)
    service.skills.ingest([SKILL])
    return TestClient(build_app(service), base_url="http://127.0.0.1:7731")


def ask(api: TestClient, prompt: object, query: str = "", **fields: object) -> str:
    event = {"hook_event_name": "UserPromptSubmit", "prompt": prompt, **fields}
    response = api.post(PATH + query, json=event)
    assert response.status_code == 200, response.text
    if response.content == b"{}":
        return ""
    output = response.json()["hookSpecificOutput"]
    assert output.pop("hookEventName") == "UserPromptSubmit"
    [context] = output.values()
    assert isinstance(context, str)
    return context


def test_agent_gets_lessons_and_skills(api: TestClient) -> None:
    context = ask(api, CACHE)
    assert context.startswith(
        "## Relevant Lessons from Past Experience\n\n- **[devops/docker]** (rel"
    )
    assert "Redis" not in context
    assert "\n\n## Suggested Skills\n\n- `/docker-cache` - Find out why" in context


def test_response_has_the_exact_format(api: TestClient) -> None:
    response = api.post(PATH, json={"prompt": CACHE})
    begin = b'{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"'
    assert response.content.startswith(begin)
    assert response.content.endswith(b'"}}')
    assert response.headers["content-length"] == str(len(response.content))
    assert response.headers["content-type"] == "application/json"


def test_hook_can_set_a_minimum_score(api: TestClient) -> None:
    assert ask(api, CACHE, "?min_score=1") == ""
    assert "Redis" in ask(api, CACHE, "?min_score=0")
    explanation = api.post("/api/explain?min_score=0.9", json={"prompt": CACHE}).json()
    assert explanation["collections"]["lessons"]["threshold"] == 0.9
    assert api.post(PATH + "?min_score=1.1", json={"prompt": CACHE}).status_code == 422


def test_lesson_is_injected_once_per_session(api: TestClient) -> None:
    first = ask(api, CACHE, session_id="a")
    assert first
    assert ask(api, CACHE, session_id="a") == ""
    assert ask(api, CACHE, session_id="b") == first
    assert ask(api, CACHE, session_id="a", agent_id="x") == first
    assert ask(api, CACHE) == ask(api, CACHE) == first


def test_omitted_lesson_is_injected_next(api: TestClient) -> None:
    assert "COPY ." in ask(api, CACHE, "?top_k=1", session_id="a")
    assert "order the lines" in ask(api, CACHE, "?top_k=1", session_id="a")
    assert ask(api, CACHE, "?top_k=1", session_id="a") == ""
    small = ask(api, CACHE, "?budget=200", session_id="b")
    assert ("COPY ." in small, "order the lines" in small) == (True, False)
    assert "order the lines" in ask(api, CACHE, session_id="b")


@pytest.mark.parametrize(
    "prompt",
    ["", "docker", "/docker cache lost", "<task-notification>docker build cache", None, 5, ["x"]],
)
def test_irrelevant_prompt_gets_nothing(api: TestClient, prompt: object) -> None:
    assert ask(api, prompt) == ""


@pytest.mark.parametrize("query", ["?top_k=0", "?budget=9501", "?budget=x", "?limit=3"])
def test_parameters_are_validated(api: TestClient, query: str) -> None:
    response = api.post(PATH + query, json={"prompt": CACHE})
    assert response.status_code == 422
    assert "\n" not in response.json()["detail"]


@settings(max_examples=examples(50))
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text() | st.just("\ud800 docker build cache"),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ),
    st.dictionaries(st.sampled_from(["session_id", "agent_id", "cwd"]), st.text() | st.integers()),
)
def test_any_event_is_answered(api: TestClient, prompt: object, fields: dict[str, object]) -> None:
    event = json.dumps({"prompt": prompt, **fields})
    response = api.post(PATH, content=event, headers={"content-type": "application/json"})
    assert response.status_code == 200


def explain(api: TestClient, prompt: object, **fields: object) -> Any:
    response = api.post("/api/explain", json={"prompt": prompt, **fields})
    assert response.status_code == 200, response.text
    return response.json()


def test_match_can_be_explained_without_injecting_it(api: TestClient) -> None:
    near = explain(api, CACHE, session_id="a")["collections"]
    assert near["lessons"]["records"] == 3
    assert near["lessons"]["best"] >= near["lessons"]["threshold"]
    assert (near["lessons"]["left"], near["lessons"]["given"]) == (2, 0)
    assert ask(api, CACHE, session_id="a")


def test_exhausted_session_is_explained(api: TestClient) -> None:
    ask(api, CACHE, session_id="a")
    near = explain(api, CACHE, session_id="a")["collections"]
    assert (near["lessons"]["left"], near["lessons"]["given"]) == (0, 2)


def test_prompt_without_a_match_is_explained(api: TestClient) -> None:
    lessons = explain(api, "which wine goes with fish on Sundays")["collections"]["lessons"]
    assert lessons["best"] < lessons["threshold"]
    assert lessons["left"] == lessons["given"] == 0


@pytest.mark.parametrize(
    ("prompt", "obstacle"),
    [
        ("docker", "short"),
        (None, "short"),
        ("/docker cache lost", "slash command"),
        ("! docker build .", "shell command"),
        ("# always use docker", "memory note"),
        ("<task-notification>docker build cache", "client's own"),
    ],
)
def test_excluded_prompt_is_explained(api: TestClient, prompt: object, obstacle: str) -> None:
    explanation = explain(api, prompt)
    assert (explanation["obstacle"], explanation["collections"]) == (obstacle, {})


def test_project_lessons_come_first_and_stay_in_their_project(service: LessonService) -> None:
    """Hooks outside a project get only lessons without one; invalid projects count as none."""
    texts = (
        "The Docker build cache is lost by COPY . before npm ci",
        "COPY loses the Docker cache",
    )
    service.ingest([Lesson("all", texts[0]), Lesson("shop", texts[1], project="h.example/shop")])
    client = TestClient(build_app(service), base_url="http://127.0.0.1:7731")

    def find(project: str | None) -> list[bool]:
        headers = {} if project is None else {"Hookwright-Repository": project}
        response = client.post(PATH, json={"prompt": CACHE}, headers=headers).text
        near = client.post("/api/explain", json={"prompt": CACHE}, headers=headers).json()
        first = near["context"].find(texts[1]) < near["context"].find(texts[0])
        return [texts[0] in response, texts[1] in response, texts[1] in response and first]

    assert find("%68%2e%65xample%2fshop,/srv/shop") == [True, True, True]
    for other in (None, "", "h.example/other", "%ff", "x" * 5_000, ",,,", "shop"):
        assert find(other) == [True, False, False]
    query = {"prompt": CACHE, "projects": ["h.example/shop"], "min_score": 0}
    assert len(client.post("/api/query", json=query).json()["lessons"]) == 2
    query["projects"] = []
    assert len(client.post("/api/query", json=query).json()["lessons"]) == 1
