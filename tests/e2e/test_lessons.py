"""The lesson_search hook injects lessons into prompts in the real client, over both transports."""

import json
import shutil
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from ..support.fake_lesson_server import NOTHING, StandIn, wait, write_answer
from ..support.lesson_server_process import run_lesson_server
from ..support.project import GITLAB, ROUTES, render
from .clients.claude import DELEGATE, WAYS, Claude
from .lessons import LESSON, PROMPT

HEADING = "UserPromptSubmit hook"  # the client's heading above a hook's text


@pytest.fixture
def dead_server() -> str:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"http://127.0.0.1:{free.getsockname()[1]}"


@pytest.fixture
def install(claude: Claude, template: Path) -> "Installation":
    return Installation("settings", claude, template)


@pytest.fixture(params=WAYS)
def install_each_way(
    request: pytest.FixtureRequest, claude: Claude, template: Path
) -> "Installation":
    return Installation(request.param, claude, template)


class Installation:
    """Renders a project and installs it into a client, in one of the supported ways."""

    def __init__(self, way: str, claude: Claude, template: Path) -> None:
        self.way, self.claude, self.template = WAYS[way], claude, template

    def __call__(self, url: str, transport: str, **answers: object) -> Claude:
        project = render(
            self.template,
            self.claude.home / "my hooks",
            lesson_server_url=url,
            transport=transport,
            **answers,
        )
        return self.way(self.claude, project)


BOTH = pytest.mark.parametrize("transport", ["command", "http"])


@BOTH
def test_two_installations_both_deliver_the_lesson(
    install: Installation, claude: Claude, lesson_server: str, transport: str
) -> None:
    install(lesson_server, transport)
    run = claude.load_plugin(claude.home / "my hooks").converse(prompt=PROMPT)
    assert PROMPT in run.last
    assert LESSON in run.last


@BOTH
def test_lesson_is_injected_once_per_session(
    install_each_way: Installation, lesson_server: str, transport: str
) -> None:
    client = install_each_way(lesson_server, transport)
    first = client.converse(prompt=PROMPT).last
    assert PROMPT in first
    assert (first.count(LESSON), first.count(HEADING)) == (1, 1)
    goes_on = replace(client, options=(*client.options, "--continue"))
    assert goes_on.converse(prompt=PROMPT).last.count(LESSON) == 1
    assert client.converse(prompt=PROMPT).last.count(LESSON) == 1


@BOTH
def test_server_killed_in_mid_session_is_survived(
    install: Installation, tmp_path: Path, transport: str
) -> None:
    with run_lesson_server(tmp_path / "lessons") as server:
        server.ask("/api/ingest", {"text": LESSON})
        client = install(server.url, transport)
        assert LESSON in client.converse(prompt=PROMPT).last
        server.process.kill()
        server.process.wait()
    goes_on = replace(client, options=(*client.options, "--continue"))
    last = goes_on.converse(prompt="And how do I cache node modules there?").last
    assert "cache node modules there" in last
    assert last.count(HEADING) == 1


@BOTH
def test_project_is_valid(
    claude: Claude, template: Path, lesson_server: str, transport: str
) -> None:
    project = render(
        template, claude.home / "my", lesson_server_url=lesson_server, transport=transport
    )
    completed = claude.run("plugin", "validate", "--strict", str(project))
    assert completed.returncode == 0, completed.stdout


@BOTH
def test_all_hooks_work_together(install: Installation, lesson_server: str, transport: str) -> None:
    client = install(lesson_server, transport, databases=[GITLAB], routes=ROUTES)
    run = client.converse([DELEGATE], subagent_script=[[]], prompt=PROMPT)
    assert run.last.count(LESSON) == 1


@BOTH
def test_empty_answer_adds_nothing(install: Installation, transport: str) -> None:
    with StandIn(write_answer(NOTHING)) as server:
        run = install(server.url, transport).converse(prompt=PROMPT)
        assert [request.prompt for request in server.asked] == [PROMPT]
    assert PROMPT in run.last
    assert HEADING not in run.last


@BOTH
def test_dead_server_does_not_block_prompts(
    install: Installation, dead_server: str, transport: str
) -> None:
    run = install(dead_server, transport).converse(prompt=PROMPT)
    assert PROMPT in run.last
    assert "Lessons" not in run.last


@BOTH
def test_slow_server_does_not_block_prompts(install: Installation, transport: str) -> None:
    with StandIn() as server:
        server.reply = wait
        run = install(server.url, transport, lesson_time_limit=1).converse(prompt=PROMPT)
        assert len(server.asked) == 1
    assert PROMPT in run.last
    assert "Lessons" not in run.last


def test_dead_server_is_reported_only_with_http(
    claude: Claude, template: Path, dead_server: str
) -> None:
    noted = {}
    for transport in ("command", "http"):
        project = render(
            template,
            claude.home / transport,
            lesson_server_url=dead_server,
            transport=transport,
        )
        log = claude.home / f"{transport}.log"
        client = claude.load_plugin(project)
        run = Claude(
            client.binary,
            client.home,
            client.config,
            (*client.options, "--debug-file", str(log)),
        ).converse(prompt=PROMPT)
        assert PROMPT in run.last
        noted[transport] = "ECONNREFUSED" in log.read_text()
    assert noted == {"command": False, "http": True}


def test_deleted_script_keeps_the_prompt(install: Installation, lesson_server: str) -> None:
    client = install(lesson_server, "command")
    for script in list(client.home.rglob("lesson_search*.py")):
        script.unlink()
    run = client.converse(prompt=PROMPT)
    assert PROMPT in run.last
    assert LESSON not in run.last


@BOTH
def test_uninstalled_hook_is_removed(
    install: Installation, lesson_server: str, transport: str
) -> None:
    client = install(lesson_server, transport)
    assert LESSON in client.converse(prompt=PROMPT).last
    client.install_settings(client.home / "my hooks", "--uninstall")
    assert LESSON not in client.converse(prompt=PROMPT).last


def test_transport_can_be_changed(
    install: Installation, claude: Claude, lesson_server: str
) -> None:
    for transport in ("command", "http", "command"):
        shutil.rmtree(claude.home / "my hooks", ignore_errors=True)
        client = install(lesson_server, transport)
        assert client.converse(prompt=PROMPT).last.count(LESSON) == 1


def test_event_matches_the_format_the_hook_expects(install: Installation) -> None:
    """The client's JSON format lets the hook filter prompts without a parser."""
    with StandIn(write_answer(NOTHING)) as server:
        client = install(server.url, "command")
        client.converse(prompt="yes please")
        client.converse(prompt="go on")
        assert [json.loads(request.body)["prompt"] for request in server.asked] == ["yes please"]
