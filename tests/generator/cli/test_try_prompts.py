"""`hookwright try --prompt` shows what the lesson server adds to a prompt, or why nothing."""

import json
from pathlib import Path

import pytest

from ...support.command_line import CommandLine
from ...support.fake_lesson_server import CONTEXT, NOTHING, StandIn, set_server, write_answer
from ...support.other_users import LISTEN, NOBODY, needs_root, start_as


@pytest.fixture(params=["lessons", "lessons_http"])
def asking(request: pytest.FixtureRequest) -> Path:
    """Return a project whose lesson server is asked, in each way there is, for reading only."""
    return Path(request.getfixturevalue(request.param))


def test_prompt_gets_what_the_server_says(
    hookwright_line: CommandLine,
    tmp_path: Path,
    stand_in: StandIn,
    asking: Path,
) -> None:
    """The context is the server's, which is asked as the client would, for a session of its own."""
    project = set_server(asking, stand_in.url, tmp_path)
    output = hookwright_line.tell("try", "--prompt", "how to cache", "--project", project)
    assert f"The agent gets {len(CONTEXT)} characters besides the prompt:\n\n{CONTEXT}\n" in output
    (asked,) = stand_in.asked
    assert asked.path == "/hooks/user-prompt-submit?top_k=3&budget=2000"
    event = json.loads(asked.body)
    assert (event["hook_event_name"], event["prompt"]) == ("UserPromptSubmit", "how to cache")
    assert event["session_id"].startswith("hookwright-try-")
    words = ("try", "--json", "--prompt", "how to cache", "--project", project)
    made = json.loads(hookwright_line.tell(*words))
    assert (made["context"], made["characters"]) == (CONTEXT, len(CONTEXT))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (write_answer(NOTHING), "the server found nothing that matters to the prompt"),
        (write_answer(NOTHING, "503 Busy"), "503"),
    ],
)
def test_prompt_that_gets_nothing_says_why(
    hookwright_line: CommandLine,
    tmp_path: Path,
    asking: Path,
    answer: bytes,
    why: str,
) -> None:
    """A server that has nothing, or fails, is said to."""
    with StandIn(answer) as server:
        project = set_server(asking, server.url, tmp_path)
        output = hookwright_line.tell("try", "--prompt", "how to cache", "--project", project)
    assert output.startswith("The agent gets nothing besides the prompt:\n")
    assert why in output


def test_server_that_is_down_is_said_to_be(
    hookwright_line: CommandLine, tmp_path: Path, asking: Path
) -> None:
    """Nobody listens there: the prompt goes on as it is."""
    with StandIn() as server:
        url = server.url
    project = set_server(asking, url, tmp_path)
    output = hookwright_line.tell("try", "--prompt", "how to cache", "--project", project)
    assert "refused" in output


@needs_root
def test_server_of_another_user_is_told_nothing(
    hookwright_line: CommandLine, tmp_path: Path, asking: Path
) -> None:
    """Another user who listens where the server should does not get the prompt."""
    with start_as(NOBODY, LISTEN) as process:
        assert process.stdout
        project = set_server(asking, f"http://127.0.0.1:{int(process.stdout.readline())}", tmp_path)
        output = hookwright_line.tell("try", "--prompt", "how to cache", "--project", project)
        assert process.stdout.readline() == "0\n"
        process.kill()
    assert "another user" in output


def test_short_prompt_is_not_asked_about(hookwright_line: CommandLine, lessons: Path) -> None:
    """The hook lets a short prompt go on without the server."""
    output = hookwright_line.tell("try", "--prompt", "hi", "--project", lessons)
    assert "the server is not asked: the prompt is short" in output
