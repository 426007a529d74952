"""Sample lessons, and API requests that use them."""

from typing import Any

from starlette.testclient import TestClient

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
# Lessons like the examples in the architecture document.
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


def send(api: TestClient, path: str, body: object, status: int = 200) -> Any:
    response = api.post(path, json=body)
    assert response.status_code == status, response.text
    return response.json()


def list_found(api: TestClient, prompt: str, **options: object) -> list[str]:
    lessons = send(api, "/api/query", {"prompt": prompt, **options})["lessons"]
    return [lesson["id"] for lesson in lessons]
