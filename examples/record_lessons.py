"""Record the lesson server's answer to the demonstration's prompt, for examples/demo.py."""

import json
import sys
import tempfile
from pathlib import Path

from starlette.testclient import TestClient

from lesson_search.server.application import build_app
from lesson_search.service.settings import Settings
from lesson_search.service.startup import open_service

from .recorded_lessons import RECORDED, read_recorded

ADDRESS = "http://127.0.0.1:7731"  # the application's address, where nothing listens


def ask_server(prompt: str, lessons: list[dict[str, object]]) -> str:
    with (
        tempfile.TemporaryDirectory() as name,
        open_service(Settings(Path(name))) as service,
        TestClient(build_app(service), base_url=ADDRESS) as client,
    ):
        client.post("/api/ingest/bulk", json={"lessons": lessons}).raise_for_status()
        event = {"hook_event_name": "UserPromptSubmit", "prompt": prompt}
        answer = client.post("/hooks/user-prompt-submit", json=event).raise_for_status()
        return str(answer.text)


def main() -> int:
    """Record the answer; return 0."""
    recorded = read_recorded()
    recorded["answer"] = ask_server(recorded["prompt"], recorded["lessons"])
    RECORDED.write_text(json.dumps(recorded, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
