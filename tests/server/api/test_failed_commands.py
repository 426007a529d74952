"""A failed command gets the lesson most likely to be about its error."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hooks.action_lessons.action_lessons_answer import keep_words
from lesson_search.files.folders import read_files
from lesson_search.prompts.given_record import GivenRecord
from lesson_search.records import Lesson, Skill
from lesson_search.retrieval.evaluation import LABELLED, LabelledPrompt, read_questions
from lesson_search.server.application import build_app
from lesson_search.service.lesson_service import LessonService

PATH = "/hooks/failed-command"
FAILED = Path(__file__).parent / "failed_commands.jsonl"
ERROR = "fatal error: concurrent map writes"
LESSON = "cannot be recovered; the whole process dies"  # describes the solution


@pytest.fixture
def api(service: LessonService) -> TestClient:
    records = read_files([LABELLED / "lessons.jsonl"]).locations
    service.lessons.ingest([record for record in records if isinstance(record, Lesson)])
    return TestClient(build_app(service), base_url="http://127.0.0.1:7731")


def ask(api: TestClient, error: str, query: str = "", **fields: object) -> str:
    answer = api.post(PATH + query, json={"prompt": error, **fields}).json()
    context: str = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
    return context


def test_error_gets_one_lesson_once_per_session(api: TestClient, service: LessonService) -> None:
    service.skills.ingest([Skill("race", f"Find out about {ERROR}.", trigger="/race")])
    first, second = (ask(api, ERROR, session_id="a") for _ in range(2))
    assert LESSON in first
    assert first.count("\n- ") == 1
    assert "Skills" not in first
    assert LESSON not in second
    assert LESSON in ask(api, ERROR, session_id="b")
    assert ask(api, ERROR, "?min_score=1") == ""


def test_lesson_from_a_prompt_is_not_repeated(api: TestClient) -> None:
    prompt = {"prompt": ERROR, "session_id": "a"}
    assert LESSON in api.post("/hooks/user-prompt-submit", json=prompt).text
    assert LESSON not in ask(api, ERROR, session_id="a")


def test_errors_need_a_higher_score_than_prompts(api: TestClient) -> None:
    prompt = {"prompt": "sed: 1: app.yml: invalid command code c"}
    [lesson] = api.post("/api/query", json={**prompt, "top_k": 1}).json()["lessons"]
    assert lesson["score"] < 0.5
    assert lesson["text"][:20] in api.post("/hooks/user-prompt-submit", json=prompt).text
    assert ask(api, prompt["prompt"]) == ""


def test_prompt_record_contains_no_secret(
    api: TestClient, service: LessonService, tmp_path: Path
) -> None:
    service.given_record = GivenRecord(tmp_path / "given", prompts=True)
    secret = "Win" + "ter2024"
    assert LESSON in ask(api, f"{ERROR}\npassword={secret}")
    assert secret not in (tmp_path / "given").read_text()


def test_only_the_end_of_a_long_error_counts(
    api: TestClient, service: LessonService, tmp_path: Path
) -> None:
    service.given_record = GivenRecord(tmp_path / "given", prompts=True)
    assert LESSON in ask(api, f"password=Abc12345xyz9Q first {' ' * 10_000}{ERROR}")
    recorded = (tmp_path / "given").read_text()
    assert ERROR in recorded
    assert "first" not in recorded


def test_most_injected_lessons_are_correct(api: TestClient, service: LessonService) -> None:
    failures = read_questions(FAILED)
    answers = [(failure, ask(api, keep_words(failure.prompt))) for failure in failures]
    injected = [(failure, text) for failure, text in answers if text]
    right = [failure for failure, text in injected if is_right(service, failure, text)]
    fitting = [failure for failure in failures if failure.wanted]
    assert (len(failures), len(fitting)) == (40, 20)
    assert len(right) >= 0.8 * len(injected)
    assert len(right) >= 0.8 * len(fitting)


def is_right(service: LessonService, failure: LabelledPrompt, text: str) -> bool:
    start = 40  # characters at the start of a text
    wanted = [service.lessons.get(identity) for identity in failure.wanted]
    return any(lesson and lesson.text[:start].replace("<", "&lt;") in text for lesson in wanted)
