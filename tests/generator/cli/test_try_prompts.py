"""`hookwright try --prompt` shows the lessons added to a prompt, or why there are none."""

import json
from pathlib import Path

import pytest

from ...support.command_line import CommandLine
from ...support.fake_lesson_server import CONTEXT, NOTHING, StandIn, set_server, write_answer
from ...support.hypothesis_profiles import mark_long
from ...support.lesson_server_process import run_lesson_server
from ...support.own_socket import leave_socket
from ...support.project import render


@pytest.fixture(params=["lessons", *mark_long(["lessons_http"])])
def asking(request: pytest.FixtureRequest) -> Path:
    return Path(request.getfixturevalue(request.param))


def test_prompt_gets_the_server_answer(
    hookwright_line: CommandLine,
    tmp_path: Path,
    stand_in: StandIn,
    asking: Path,
) -> None:
    project = set_server(asking, stand_in.url, tmp_path)
    output = hookwright_line.output("try", "--prompt", "how to cache", "--project", project)
    assert f"The agent gets {len(CONTEXT)} characters besides the prompt:\n\n{CONTEXT}\n" in output
    (request,) = stand_in.asked
    assert request.path == "/hooks/user-prompt-submit?top_k=3&budget=2000"
    event = json.loads(request.body)
    assert (event["hook_event_name"], event["prompt"]) == ("UserPromptSubmit", "how to cache")
    assert event["session_id"].startswith("hookwright-try-")
    words = ("try", "--json", "--prompt", "how to cache", "--project", project)
    decision = json.loads(hookwright_line.output(*words))
    assert (decision["context"], decision["characters"]) == (CONTEXT, len(CONTEXT))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (write_answer(NOTHING), "the server found nothing relevant to the prompt"),
        (write_answer(NOTHING, "503 Busy"), "503"),
    ],
)
def test_prompt_without_lessons_is_explained(
    hookwright_line: CommandLine,
    tmp_path: Path,
    asking: Path,
    answer: bytes,
    why: str,
) -> None:
    with StandIn(answer) as server:
        project = set_server(asking, server.url, tmp_path)
        output = hookwright_line.output("try", "--prompt", "how to cache", "--project", project)
    assert output.startswith("The agent gets nothing besides the prompt:\n")
    assert why in output


def test_unreachable_server_is_reported(
    hookwright_line: CommandLine, tmp_path: Path, asking: Path
) -> None:
    with StandIn() as server:
        url = server.url
    project = set_server(asking, url, tmp_path)
    output = hookwright_line.output("try", "--prompt", "how to cache", "--project", project)
    assert "refused" in output
    assert "Error(" not in output


def test_command_to_start_the_server_is_shown(
    hookwright_line: CommandLine, tmp_path: Path, asking: Path
) -> None:
    with StandIn() as server:
        url = server.url
    words = ("try", "--prompt", "how to cache", "--project", set_server(asking, url, tmp_path))
    output = hookwright_line.output(*words)
    way = f"run lesson-search serve --port {url.rpartition(':')[2]}"
    assert f"{url} did not respond (Connection refused): {way}" in output
    decision = json.loads(hookwright_line.output(*words, "--json"))
    assert decision["silence"] == [{"why": "no server", "details": url}]


NEAR = {"records": 2, "threshold": 0.4, "best": 0.25, "given": 0, "left": 0}
FEW = {"records": 0, "threshold": 0.5, "best": None, "given": 0, "left": 0}


@pytest.mark.parametrize(
    ("near", "is_up", "why", "line"),
    [
        (
            {"lessons": NEAR, "skills": FEW},
            True,
            "unlike",
            "nothing is similar enough: the best lesson scores 0.25 of 0.40",
        ),
        ({"lessons": {**NEAR, "given": 3}}, True, "given", "session already got all 3 that"),
        ({"lessons": FEW}, False, "embedder down", "its embedder is down: read its log"),
    ],
)
def test_empty_server_answer_is_explained(  # noqa: PLR0917 - four of them are data
    hookwright_line: CommandLine,
    tmp_path: Path,
    asking: Path,
    near: object,
    is_up: bool,  # noqa: FBT001 - data
    why: str,
    line: str,
) -> None:
    explanation = {"obstacle": None, "embedder_is_up": is_up, "collections": near}

    def reply(server: StandIn) -> list[bytes]:
        explains = server.asked[-1].path == "/api/explain"
        return [write_answer(json.dumps(explanation).encode() if explains else NOTHING)]

    with StandIn() as server:
        server.reply = reply
        project = set_server(asking, server.url, tmp_path)
        words = ("try", "--prompt", "how to cache", "--project", project)
        assert line in hookwright_line.output(*words)
        output = json.loads(hookwright_line.output(*words, "--json"))
    assert [reason["why"] for reason in output["silence"]] == [why]


@pytest.mark.parametrize("transport", ["command", "http"])
def test_empty_answer_is_explained_by_the_hook_minimum_score(
    hookwright_line: CommandLine, template: Path, tmp_path: Path, transport: str
) -> None:
    with StandIn() as server:
        server.reply = lambda _: [write_answer(NOTHING)]
        answers = {"transport": transport, "lesson_server_url": server.url, "min_score": 0.45}
        project = render(template, tmp_path / "project", **answers)
        hookwright_line.output("try", "--prompt", "how to cache", "--project", project)
        paths = [request.path for request in server.asked]
    query = "top_k=3&budget=2000&min_score=0.45"
    assert paths == [f"/hooks/user-prompt-submit?{query}", "/api/explain?min_score=0.45"]


def test_prompt_exclusion_is_explained(
    hookwright_line: CommandLine, tmp_path: Path, asking: Path
) -> None:
    explanation = {"obstacle": "slash command", "embedder_is_up": True, "collections": {}}
    with StandIn() as server:
        server.reply = lambda _: [write_answer(json.dumps(explanation).encode())]
        project = set_server(asking, server.url, tmp_path)
        output = hookwright_line.output("try", "--prompt", "/help me", "--project", project)
    assert "no lessons are looked up for such a prompt: it is a slash command" in output
    assert "is not asked" not in output


def test_impostor_on_the_server_port_receives_nothing(
    hookwright_line: CommandLine, tmp_path: Path, asking: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "s"))
    with StandIn() as server, leave_socket(server.server_port):
        project = set_server(asking, server.url, tmp_path)
        output = hookwright_line.output("try", "--prompt", "how to cache", "--project", project)
        assert server.asked == []
    assert f"{server.url} did not respond (Connection refused)" in output


@pytest.mark.parametrize("prompt", ["hi", "/compact the conversation", "<task-notification>docker"])
def test_prompt_skipped_by_the_hook_is_explained(
    hookwright_line: CommandLine, lessons: Path, prompt: str
) -> None:
    output = hookwright_line.output("try", "--prompt", prompt, "--project", lessons)
    assert (
        "the server is not queried: the prompt is short, a command, or the client's own" in output
    )


def test_each_installed_project_is_named(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        answers = {"project_name": name, "hooks": ["lesson_search"]}
        project = render(template, tmp_path / name, **answers)
        hookwright_line.output("install", "--project", project, "--yes")
    lines = hookwright_line.output("try", "--prompt", "hi").splitlines()
    assert list(dict.fromkeys(line.split(":")[0] for line in lines[1:])) == ["  one", "  two"]


@pytest.mark.long
def test_real_server_explains_its_answer(
    hookwright_line: CommandLine, tmp_path: Path, asking: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LESSON_SEARCH_TOKEN", raising=False)
    with run_lesson_server(tmp_path / "data") as server:
        project = set_server(asking, server.url, tmp_path)
        output = hookwright_line.output("try", "--prompt", "how to cache", "--project", project)
    assert f"  {server.url} has no lessons yet: add some with lesson-search ingest\n" in output
