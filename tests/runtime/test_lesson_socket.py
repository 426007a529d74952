"""The lesson_search hook uses only the Unix socket if the user's own server has one."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookwright_console.network.server_address import find_socket

from ..support.fake_lesson_server import StandIn, write_answer, write_frame
from ..support.other_users import BECOME, NOBODY, needs_root
from ..support.own_socket import leave_socket, listening_privately, state_folder
from ..support.project import prompt_event

EVENT = json.dumps(prompt_event("How do I cache gems in GitLab CI?"))
OTHER = write_answer(write_frame("## From the port"))
# Run the hook as another user who may not read its folder or Python's library.
RUN = "code = open(sys.argv[1]).read()\n" + BECOME + "exec(compile(code, sys.argv[1], 'exec'))"
PREPARE = "import encodings.idna, os, socket, sys, time\n"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such sockets")


@pytest.fixture(autouse=True)
def _state(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with state_folder(monkeypatch):
        yield


@pytest.fixture
def script(lessons: Path, tmp_path: Path, stand_in: StandIn) -> Path:
    return write_hook(lessons, tmp_path, f"127.0.0.1:{stand_in.server_port}")


def write_hook(project: Path, folder: Path, server: str) -> Path:
    code = (project / "hooks" / "lesson_search.py").read_text("utf-8")
    script = folder / "lesson_search.py"
    script.write_text(code.replace("127.0.0.1:7731", server), "utf-8")
    return script


def ask(script: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-I", "-S", *command, str(script)],
        input=EVENT,
        capture_output=True,
        check=True,
        env={**os.environ, "HOOKWRIGHT_DEBUG": "1", "LESSON_SEARCH_TOKEN": "s3same"},
        text=True,
    )


def test_socket_is_used_instead_of_the_port(script: Path, stand_in: StandIn) -> None:
    with listening_privately(stand_in.server_port, write_answer(write_frame())) as requests:
        ended = ask(script)
    assert ended.stdout == write_frame().decode()
    assert b"Authorization: Bearer s3same\r\n" in requests[0]
    assert stand_in.asked == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_impostor_on_the_server_port_receives_nothing(
    lessons: Path, tmp_path: Path, stand_in: StandIn, host: str
) -> None:
    with leave_socket(stand_in.server_port):
        ended = ask(write_hook(lessons, tmp_path, f"{host}:{stand_in.server_port}"))
    assert (ended.stdout, stand_in.asked) == ("", [])
    assert "refused" in ended.stderr


def test_port_is_used_without_a_socket(script: Path, stand_in: StandIn) -> None:
    with leave_socket(stand_in.server_port - 1):  # belongs to a different server
        ended = ask(script)
    assert ended.stdout == write_frame().decode()
    assert len(stand_in.asked) == 1


def test_socket_is_used_only_for_a_local_server(
    lessons: Path, tmp_path: Path, stand_in: StandIn
) -> None:
    with listening_privately(stand_in.server_port, OTHER) as requests:
        ask(write_hook(lessons, tmp_path, f"192.0.2.1.invalid:{stand_in.server_port}"))
    assert requests == []


@pytest.mark.parametrize("mode", [0o701, 0o770, 0o777])
def test_folder_open_to_others_is_rejected(script: Path, stand_in: StandIn, mode: int) -> None:
    with listening_privately(stand_in.server_port, OTHER) as requests:
        find_socket(0).parent.chmod(mode)
        ended = ask(script)
    assert (ended.stdout, requests, stand_in.asked) == ("", [], [])
    assert "is open to others: run chmod 700 on it" in ended.stderr


@needs_root
def test_folder_of_another_user_is_rejected(script: Path, stand_in: StandIn) -> None:
    with listening_privately(stand_in.server_port, OTHER) as requests:
        shutil.chown(find_socket(0).parent, NOBODY)
        ended = ask(script)
    assert (ended.stdout, requests, stand_in.asked) == ("", [], [])
    assert "is open to others" in ended.stderr


@needs_root
def test_socket_of_the_current_user_is_used(script: Path, stand_in: StandIn) -> None:
    with listening_privately(stand_in.server_port, write_answer(write_frame())) as requests:
        for path in (find_socket(0).parent, find_socket(stand_in.server_port)):
            shutil.chown(path, NOBODY)
        above = find_socket(0).parent.parents
        opened = [folder for folder in above if folder.stat().st_mode & 0o7 == 0]
        for folder in opened:
            folder.chmod(0o711)
        ended = ask(script, "-c", PREPARE + RUN.format(NOBODY))
        for folder in opened:
            folder.chmod(0o700)
    assert (ended.stdout, len(requests)) == (write_frame().decode(), 1), ended.stderr


def test_overlong_name_is_handled(
    script: Path, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/none/" + "x" * 200)
    assert ask(script).stdout == write_frame().decode()
    assert len(stand_in.asked) == 1
