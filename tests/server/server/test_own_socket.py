"""The server also listens on a Unix socket that only its user's programs can reach."""

import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookwright_console.network.server_address import find_socket
from lesson_search.server.serve import bind_private

from ...support.command_line import CommandLine
from ...support.fake_lesson_server import set_server
from ...support.lesson_server_process import run_lesson_server
from ...support.own_socket import listening_privately, state_folder
from ...support.project import prompt_event

HOST = "127.0.0.1"
PROMPT = "why is the docker build cache lost"
LESSON = {"id": "cache", "text": "The docker build cache is lost where the base image changes."}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such sockets")


@pytest.fixture(autouse=True)
def _state(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with state_folder(monkeypatch):
        yield


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server((HOST, 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.long
def test_user_programs_connect_through_the_socket(
    command_line: CommandLine, lessons: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_hook(session: str) -> str:
        return subprocess.check_output(
            [sys.executable, "-I", "-S", project / "hooks" / "lesson_search.py"],
            input=json.dumps(prompt_event(PROMPT) | {"session_id": session}),
            text=True,
            env=os.environ,
        )

    with run_lesson_server(tmp_path / "other data") as server:
        server.ask("/api/ingest", LESSON)
        project = set_server(lessons, server.url, tmp_path)
        path = find_socket(int(server.url.rpartition(":")[2]))
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert "base image" in run_hook("first")
        assert "cache" in command_line.output("list", "--url", server.url)
        path.parent.chmod(0o755)
        assert run_hook("second") == ""
        output = command_line.error("list", "--url", server.url)
        assert f"{path.parent} is open to others: run chmod 700 on it" in output
        with monkeypatch.context() as patch:  # simulates a hook rendered by an earlier version
            patch.setenv("XDG_STATE_HOME", str(tmp_path / "nowhere"))
            assert "base image" in run_hook("third")
            assert "cache" in command_line.output("list", "--url", server.url)
    path.parent.chmod(0o700)
    assert path.exists()
    assert "no server answers" in command_line.error("list", "--url", server.url)


def test_folder_is_inaccessible_to_others(port: int) -> None:
    find_socket(port).parent.mkdir(parents=True, mode=0o755)
    (listener,) = bind_private(HOST, port)
    listener.close()
    assert stat.S_IMODE(find_socket(port).parent.stat().st_mode) == 0o700


def test_stale_socket_is_replaced(port: int) -> None:
    for _ in range(2):
        (listener,) = bind_private(HOST, port)
        listener.close()


def test_socket_of_a_running_server_is_kept(port: int) -> None:
    with listening_privately(port, b"") as requests:
        assert bind_private(HOST, port) == []
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(find_socket(port)))
            client.sendall(b"x")
            assert client.recv(1) == b""
    assert requests[-1] == b"x"


def test_unavailable_socket_is_skipped(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bind_private("192.0.2.1", port) == []
    monkeypatch.setenv("XDG_STATE_HOME", f"/proc/{'x' * 200}")
    assert bind_private(HOST, port) == []
