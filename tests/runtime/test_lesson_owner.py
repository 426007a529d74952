"""The lesson_search hook tells no prompt and no token to another user who listens for them."""

import _socket
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright_console.peers import can_find_owner
from runtime.lesson_hook import check_owner

from ..support.fake_lesson_server import StandIn, write_answer, write_frame
from ..support.other_users import (
    BECOME,
    LISTEN,
    ME,
    NOBODY,
    PLACES,
    SOMEBODY,
    Meetings,
    acting_as,
    needs_root,
    start_as,
)
from ..support.project import prompt_event

EVENT = json.dumps(prompt_event("How do I cache gems in GitLab CI?"))
# The hook as another user runs it, who may not read where it or Python's library is.
RUN = "code = open(sys.argv[1]).read()\n" + BECOME + "exec(compile(code, sys.argv[1], 'exec'))"
PREPARE = "import encodings.idna, os, socket, struct, sys, time\n"
ANSWER = f"""
with socket.create_server(("127.0.0.1", 0)) as listener:
    print(listener.getsockname()[1], flush=True)
    connection, _ = listener.accept()
    connection.recv(65536)
    connection.sendall({write_answer(write_frame())!r})
    connection.close()
"""

pytestmark = pytest.mark.skipif(not can_find_owner(), reason="only Linux tells socket owners")


def aim(project: Path, folder: Path, port: int) -> Path:
    code = (project / "hooks" / "lesson_search.py").read_text("utf-8")
    script = folder / "lesson_search.py"
    script.write_text(code.replace("127.0.0.1:7731", f"127.0.0.1:{port}"), "utf-8")
    return script


def ask_as(user: int, script: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", PREPARE + RUN.format(user), str(script)],
        input=EVENT,
        capture_output=True,
        check=True,
        env={**os.environ, "HOOKWRIGHT_DEBUG": "1", "LESSON_SEARCH_TOKEN": "s3same"},
        text=True,
    )


@needs_root
@pytest.mark.parametrize("user", [ME, SOMEBODY])
def test_other_user_is_told_nothing(lessons: Path, tmp_path: Path, user: int) -> None:
    with start_as(NOBODY, LISTEN) as process:
        assert process.stdout
        ended = ask_as(user, aim(lessons, tmp_path, int(process.stdout.readline())))
        assert process.stdout.readline() == "0\n"
        process.kill()
    assert ended.stdout == ""
    assert "is held by another user (id 65534)" in ended.stderr


@needs_root
def test_own_server_of_any_user(lessons: Path, tmp_path: Path) -> None:
    with start_as(NOBODY, ANSWER) as process:
        assert process.stdout
        ended = ask_as(NOBODY, aim(lessons, tmp_path, int(process.stdout.readline())))
        process.kill()
    assert ended.stdout == write_frame().decode()


@needs_root
def test_server_of_root(lessons: Path, tmp_path: Path, stand_in: StandIn) -> None:
    ended = ask_as(NOBODY, aim(lessons, tmp_path, stand_in.server_port))
    assert ended.stdout == write_frame().decode()
    assert stand_in.asked[0].headers["authorization"] == "Bearer s3same"


@needs_root
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("accepted", [False, True])
@pytest.mark.parametrize("client", [ME, SOMEBODY])
def test_other_user_is_found_out(
    meet: Meetings, place: tuple[str, str], client: int, *, accepted: bool
) -> None:
    meeting = meet(NOBODY, client, *place)
    if accepted:
        meeting.accept()
    with acting_as(client), pytest.raises(PermissionError, match=r"another user \(id 65534\)"):
        check_owner(meeting.client)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("accepted", [False, True])
def test_own_server_is_known(meet: Meetings, place: tuple[str, str], *, accepted: bool) -> None:
    meeting = meet(ME, ME, *place)
    if accepted:
        meeting.accept()
    check_owner(meeting.client)


@needs_root
def test_port_that_changed_hands(meet: Meetings) -> None:
    meeting = meet(NOBODY, ME)
    meeting.accept()
    port = meeting.listener.getsockname()[1]
    meeting.listener.close()
    with socket.create_server(("127.0.0.1", port)), pytest.raises(PermissionError):
        check_owner(meeting.client)


@needs_root
def test_system_that_does_not_tell(meet: Meetings, monkeypatch: pytest.MonkeyPatch) -> None:
    meeting = meet(NOBODY, ME)
    with monkeypatch.context() as patch:
        patch.setattr("sys.platform", "darwin")
        check_owner(meeting.client)
    monkeypatch.setattr("_socket.AF_NETLINK", _socket.AF_UNIX)
    check_owner(meeting.client)


class Remote(socket.socket):
    """A connection that is said to be to another machine."""

    def getsockname(self) -> tuple[str, int]:
        return "192.0.2.1", super().getsockname()[1]


@needs_root
def test_other_machines_are_not_looked_at(meet: Meetings) -> None:
    meeting = meet(NOBODY, ME)
    with Remote(fileno=meeting.client.detach()) as remote:
        check_owner(remote)
