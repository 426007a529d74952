"""The lesson_search hook prints only answers in the agreed format."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from ..support.fake_lesson_server import CONTEXT, NOTHING, StandIn, wait, write_answer, write_frame
from ..support.hypothesis_profiles import mark_long
from ..support.project import Answer, prompt_event, render, run_hook

PROMPT = "How do I cache gems in GitLab CI?"
LIMIT = 1  # second
SLACK = 2.5  # seconds that a busy machine may need to start and stop Python


@pytest.fixture
def hook(lessons: Path, tmp_path: Path, stand_in: StandIn) -> Path:
    return write_hook(lessons, tmp_path, stand_in.server_port)


def write_hook(project: Path, folder: Path, port: int, host: str = "127.0.0.1") -> Path:
    code = (project / "hooks" / "lesson_search.py").read_text("utf-8")
    address = f'"{host}:{port}"'
    for old, new in ((r'(?<=SERVER = )".*"', address), ("LIMIT = 2", f"LIMIT = {LIMIT}")):
        code, count = re.subn(old, new, code)
        assert count == 1
    script = folder / "lesson_search.py"
    script.write_text(code, "utf-8")
    return script


def ask(hook: Path, event: object = None, **environment: str) -> Answer:
    event = prompt_event(PROMPT) if event is None else event
    return run_hook(hook, event, Path("/nowhere"), **environment)


def test_prompt_gets_the_server_answer(hook: Path, stand_in: StandIn) -> None:
    raw = json.dumps(prompt_event("größe \ud83e\udd8a, wie?"), indent=1).encode()
    answer = ask(hook, raw)
    assert (answer.code, answer.stdout, answer.stderr) == (0, write_frame().decode(), "")
    assert answer.output["additionalContext"] == CONTEXT
    [request] = stand_in.asked
    assert request.body == raw
    assert request.path == "/hooks/user-prompt-submit?top_k=3&budget=2000"
    assert request.headers == {
        "host": f"127.0.0.1:{stand_in.server_port}",
        "content-type": "application/json",
        "content-length": str(len(raw)),
        "connection": "close",
    }


@pytest.fixture
def remote_hook(template: Path, tmp_path: Path, stand_in: StandIn) -> Path:
    url = "http://lessons.example:7731"
    project = render(template, tmp_path / "far" / "my-hooks", lesson_server_url=url)
    return write_hook(project, tmp_path, stand_in.server_port)


def test_server_on_this_machine_gets_only_the_event(
    hook: Path, stand_in: StandIn, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text('[remote "origin"]\nurl = https://h.example/shop\n')
    event = {**prompt_event(PROMPT), "cwd": str(tmp_path)}
    assert ask(hook, event).output
    assert json.loads(stand_in.asked[0].body) == event
    assert "hookwright-repository" not in stand_in.asked[0].headers


def test_session_project_is_sent_to_another_machine(
    remote_hook: Path, stand_in: StandIn, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    config = '[core]\n[remote "origin"]\n\turl = https://me:s3cret@h.example/Shop.git?s3cret\n'
    (tmp_path / ".git" / "config").write_text(config)
    assert ask(remote_hook, {**prompt_event(PROMPT), "cwd": str(tmp_path / "src")}).output
    sent = stand_in.asked[0].headers["hookwright-repository"]
    assert unquote(sent) == f"h.example/Shop.git,{tmp_path}"


def test_blocking_repository_is_skipped(
    remote_hook: Path, stand_in: StandIn, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / ".git")
    assert ask(remote_hook, {**prompt_event(PROMPT), "cwd": str(tmp_path)}).output
    assert "hookwright-repository" not in stand_in.asked[0].headers


@pytest.mark.parametrize("token", ["s3cret", "a b~"])
def test_token_is_sent(hook: Path, stand_in: StandIn, token: str) -> None:
    assert ask(hook, LESSON_SEARCH_TOKEN=token).output
    assert stand_in.asked[0].headers["authorization"] == f"Bearer {token}"


@pytest.mark.parametrize("token", ["a\r\nX: y", "a\n", "a\x7f", "ä", os.fsdecode(b"\xff")])
def test_token_that_would_break_the_request_is_not_sent(
    hook: Path, stand_in: StandIn, token: str
) -> None:
    assert ask(hook, LESSON_SEARCH_TOKEN=token).silent
    assert stand_in.asked == []


def test_proxy_is_ignored(hook: Path) -> None:
    proxy = "http://127.0.0.1:9"
    assert ask(hook, http_proxy=proxy, HTTP_PROXY=proxy, ALL_PROXY=proxy).output


@pytest.mark.parametrize("host", ["localhost", "127.1"])
def test_other_server_names_work(
    lessons: Path, tmp_path: Path, stand_in: StandIn, host: str
) -> None:
    assert ask(write_hook(lessons, tmp_path, stand_in.server_port, host)).output
    assert stand_in.asked[0].headers["host"] == f"{host}:{stand_in.server_port}"


def test_ipv6_server_works(lessons: Path, tmp_path: Path) -> None:
    try:
        server = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("this machine has no IPv6")
    with (
        server,
        subprocess.Popen(
            [
                sys.executable,
                "-I",
                "-S",
                write_hook(lessons, tmp_path, server.getsockname()[1], "[::1]"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process,
    ):
        assert process.stdin
        process.stdin.write(json.dumps(prompt_event(PROMPT)).encode())
        process.stdin.close()
        connection, _ = server.accept()
        with connection:
            assert b"\r\nHost: [::1]:" in connection.recv(65_536)
            connection.sendall(write_answer(write_frame()))
        assert process.stdout
        assert process.stdout.read() == write_frame()


def test_nothing_is_printed_without_a_lesson(hook: Path, stand_in: StandIn) -> None:
    stand_in.reply = lambda _: [write_answer(NOTHING)]
    assert ask(hook).silent
    assert stand_in.asked[0].prompt == PROMPT


FRAME = write_frame()
DECISION = b'"},"decision":"block","x":{"y":"z'  # would erase the prompt if printed
BAD_ANSWERS = {
    "silence": b"",
    "garbage": b"\x00\xff\xfe" * 100,
    "lines": b"hello\n" * 100,
    "another protocol": b"220 mail.example.com ESMTP\r\n",
    "bare body": FRAME,
    "page": write_answer(b"<html>It works!</html>", Content_Type="text/html"),
    "other JSON": write_answer(b'{"status":"healthy"}'),
    "not found": write_answer(b'{"detail":"Not Found"}', "404 Not Found"),
    "error": write_answer(FRAME, "500 Internal Server Error"),
    "redirect": write_answer(FRAME, "302 Found", Location="http://127.0.0.1:9/"),
    "no content": write_answer(b"", "204 No Content"),
    "not yet": b"HTTP/1.1 100 Continue\r\n\r\n" + write_answer(FRAME),
    "half": write_answer(FRAME)[:-1],
    "half a head": write_answer(FRAME)[:40],
    "length too large": write_answer(FRAME, Content_Length=len(FRAME) + 1),
    "length too small": write_answer(FRAME, Content_Length=len(FRAME) - 1),
    "length negative": write_answer(FRAME, Content_Length=-1),
    "length zero": write_answer(FRAME, Content_Length=0),
    "length no number": write_answer(FRAME, Content_Length="many"),
    "no length": write_answer(FRAME, Content_Length=None),
    "chunked": write_answer(
        b"%x\r\n%s\r\n0\r\n\r\n" % (len(FRAME), FRAME),
        Content_Length=None,
        Transfer_Encoding="chunked",
    ),
    "too long": write_answer(write_frame("x" * 65_536)),
    "newline": write_answer(FRAME + b"\n"),
    "spaces": write_answer(json.dumps(json.loads(FRAME)).encode()),
    "another event": write_answer(FRAME.replace(b"UserPromptSubmit", b"PreToolUse")),
    "frame alone": write_answer(FRAME.partition(b"##")[0]),
    "decision": write_answer(write_frame("x").replace(b'x"}}', b"x" + DECISION + b'"}}')),
    "decision behind a backslash": write_answer(
        write_frame("x").replace(b'x"}}', b"x\\\\" + DECISION + b'"}}')
    ),
    "two frames": write_answer(FRAME + FRAME),
    "control character": write_answer(write_frame("x").replace(b"x", b"\n")),
    "unknown escape": write_answer(write_frame("#").replace(b"#", b"\\x")),
    "unknown code": write_answer(write_frame("#").replace(b"#", b"\\u12_4")),
    "cut code": write_answer(write_frame("#").replace(b"#", b"\\u12")),
    "no UTF-8": write_answer(write_frame("#").replace(b"#", b"\xff")),
}


@pytest.mark.parametrize("answer", BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_unexpected_answer_is_ignored(hook: Path, stand_in: StandIn, answer: bytes) -> None:
    stand_in.reply = lambda _: [answer]
    assert ask(hook).silent
    assert len(stand_in.asked) == 1


def test_longest_answer_is_printed(hook: Path, stand_in: StandIn) -> None:
    frame = write_frame("x" * (65_536 - len(write_frame(""))))
    stand_in.reply = lambda _: [write_answer(frame)]
    assert ask(hook).stdout == frame.decode()


def test_keep_alive_server_is_handled(hook: Path, stand_in: StandIn) -> None:
    def reply(server: StandIn) -> Iterator[bytes]:
        yield write_answer(write_frame())
        server.stopped.wait()

    stand_in.reply = reply
    start = time.monotonic()
    assert ask(hook).output
    assert time.monotonic() - start < LIMIT


def test_fragmented_answer_is_printed(hook: Path, stand_in: StandIn) -> None:
    answer = write_answer(write_frame())
    stand_in.reply = lambda _: (answer[index : index + 1] for index in range(len(answer)))
    assert ask(hook).output


def test_server_that_is_down_is_handled(lessons: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    start = time.monotonic()
    assert ask(write_hook(lessons, tmp_path, port)).silent
    assert time.monotonic() - start < LIMIT


def test_unknown_host_is_handled(lessons: Path, tmp_path: Path) -> None:
    assert ask(write_hook(lessons, tmp_path, 7731, "no-such-host.invalid")).silent


def send_slowly(server: StandIn) -> Iterator[bytes]:
    for byte in write_answer(write_frame()):
        yield bytes([byte])
        server.stopped.wait(0.1)


def repeat_header(server: StandIn) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    while not server.stopped.is_set():
        yield b"X: y\r\n" * 1000


def test_endless_headers_time_out(hook: Path, stand_in: StandIn) -> None:
    stand_in.reply = repeat_header
    assert ask(hook).silent


@pytest.mark.parametrize("reply", [send_slowly, *mark_long([wait])])
def test_slow_server_times_out(hook: Path, stand_in: StandIn, reply: object) -> None:
    stand_in.reply = reply  # type: ignore[assignment] # one of the two
    assert_ends_in_time(hook, json.dumps(prompt_event(PROMPT)).encode())
    assert len(stand_in.asked) == 1


def test_server_that_accepts_no_connection_times_out(lessons: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server:
        address = server.getsockname()
        others = [socket.socket() for _ in range(4)]
        for other in others:  # these connections fill the accept queue
            other.setblocking(False)  # noqa: FBT003 - it takes no name
            other.connect_ex(address)
        assert_ends_in_time(
            write_hook(lessons, tmp_path, address[1]), json.dumps(prompt_event(PROMPT)).encode()
        )
        for other in others:
            other.close()


def test_server_that_reads_nothing_times_out(lessons: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        script = write_hook(lessons, tmp_path, server.getsockname()[1])
        assert_ends_in_time(script, json.dumps(prompt_event("x" * 20_000_000)).encode())


def test_hanging_lookup_times_out(lessons: Path, tmp_path: Path) -> None:
    script = write_hook(lessons, tmp_path, 7731, "lessons.example")
    code = (
        "import runpy, _socket, time; _socket.getaddrinfo = lambda *_: time.sleep(60); "
        f"runpy.run_path({str(script)!r}, run_name='__main__')"
    )
    assert_ends_in_time("-c", json.dumps(prompt_event(PROMPT)).encode(), code)


def test_endless_event_times_out(hook: Path) -> None:
    assert_ends_in_time(hook, None)


def assert_ends_in_time(script: "Path | str", event: "bytes | None", *arguments: str) -> None:
    """Assert that a hook exits silently at its time limit; None stands for an endless event."""
    start = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "-I", "-S", str(script), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        if event is not None:
            process.stdin.write(event)
            process.stdin.close()
        code = process.wait(timeout=20)
        elapsed = time.monotonic() - start
        assert process.stdout
        assert process.stderr
        assert (code, process.stdout.read(), process.stderr.read()) == (0, b"", b"")
    assert LIMIT <= elapsed < LIMIT + SLACK


@pytest.mark.parametrize(
    "event",
    [
        b"",
        b"null",
        b"not JSON, and longer than ten",
        b"\xff\xfe\x00\xff\xfe\x00\xff\xfe\x00",
        b"[" * 200_000 + b'"prompt": "how do I cache gems"',
        {"hook_event_name": "UserPromptSubmit"},
        prompt_event(None),
        prompt_event(5),
        prompt_event(["how do I cache gems"]),
        prompt_event(""),
    ],
)
def test_events_without_a_prompt_are_ignored(hook: Path, stand_in: StandIn, event: object) -> None:
    stand_in.reply = lambda _: [write_answer(NOTHING, "422 Unprocessable Content")]
    assert ask(hook, event).silent


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full"])
def test_closed_or_full_streams_are_handled(hook: Path, tmp_path: Path, closed: str) -> None:
    event = tmp_path / "event.json"
    event.write_text(json.dumps(prompt_event(PROMPT)))
    completed = subprocess.run(
        ["/bin/sh", "-c", f'"{sys.executable}" -I -S "{hook}" < "{event}" {closed}'],
        capture_output=True,
        check=False,
    )
    assert (completed.returncode, completed.stderr) == (0, b"")


def test_closed_reader_is_handled(hook: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    completed = subprocess.run(
        [sys.executable, "-I", "-S", str(hook)],
        input=json.dumps(prompt_event(PROMPT)).encode(),
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert (completed.returncode, completed.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("prompt", "answer", "why"),
    [
        ("yes", b"", "the prompt is short, a command, or the client's own"),
        (PROMPT, write_answer(NOTHING), "the server found nothing"),
        (PROMPT, write_answer(FRAME, "503 Service Unavailable"), "b'HTTP/1.1 503 Service"),
        (PROMPT, write_answer(FRAME)[:-1], f"{len(FRAME) - 1} of {len(FRAME)} bytes"),
        (PROMPT, write_answer(b"[]"), "the answer has an unexpected format"),
    ],
)
def test_debug_mode_gives_the_reason(
    hook: Path, stand_in: StandIn, prompt: str, answer: bytes, why: str
) -> None:
    stand_in.reply = lambda _: [answer]
    ended = ask(hook, prompt_event(prompt), HOOKWRIGHT_DEBUG="1")
    assert (ended.code, ended.stdout) == (0, "")
    assert why in ended.stderr
    assert all(line.startswith("hookwright: ") for line in ended.stderr.splitlines())


def test_unreportable_timeout_is_handled(hook: Path) -> None:
    with (
        Path("/dev/full").open("wb") as full,
        subprocess.Popen(
            [sys.executable, "-I", "-S", str(hook)],
            stdin=subprocess.PIPE,
            stderr=full,
            env={**os.environ, "HOOKWRIGHT_DEBUG": "1"},
        ) as process,
    ):
        assert process.wait(timeout=20) == 0


def test_debug_mode_reports_a_slow_server(hook: Path, stand_in: StandIn) -> None:
    stand_in.reply = wait
    output = ask(hook, HOOKWRIGHT_DEBUG="1").stderr
    assert f"asking 127.0.0.1:{stand_in.server_port}" in output
    assert f"{LIMIT} seconds are over" in output
