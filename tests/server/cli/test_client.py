"""The client finds the server or works without it, and handles any response."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookwright_console.errors import ReportedError
from hookwright_console.network.server_address import read_address, write_address
from hookwright_console.text import is_visible
from lesson_search.api.middleware import MAX_BODY
from lesson_search.cli.client import (
    MAX_BULK,
    ClientError,
    ServerClient,
    build_item,
    open_server,
)
from lesson_search.records import MAX_NAME, MAX_SOURCE, MAX_TEXT, Lesson, Skill, check_record
from lesson_search.service.edits import UnknownRecordError
from lesson_search.storage.data_folder import lock_folder

from ...support.command_line import CommandLine, serve
from ...support.hypothesis_profiles import examples
from ...support.lesson_server_process import LessonServer

IDS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=200).filter(
    is_visible
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


class Stranger(BaseHTTPRequestHandler):
    """A fake of a server that is not a lesson server."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>\x1b[31m")

    def log_message(self, *_: object) -> None:
        """Suppress logging."""


@pytest.fixture
def foreign_server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def client(running: LessonServer) -> Iterator[ServerClient]:
    with open_server(running.url, None) as client:
        yield client


def test_foreign_server_is_reported(command_line: CommandLine, foreign_server: str) -> None:
    line = command_line.error("list", "--url", foreign_server)
    assert f"{foreign_server} answered 200 and is not a lesson search server" in line


def test_stale_address_is_ignored(command_line: CommandLine, foreign_server: str) -> None:
    lock_folder(command_line.folder).release()
    write_address(command_line.folder, foreign_server)
    assert command_line.output("list") == ""


def test_hanging_server_is_reported(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lesson_search.cli.client.HEALTH_TIMEOUT", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert f"{url} did not respond in time" in command_line.error("list", "--url", url)


@pytest.mark.long
def test_token_is_required(
    command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everywhere = ("--host", "0.0.0.0")  # noqa: S104 - which is why it wants a token
    with serve(command_line.folder, *everywhere, LESSON_SEARCH_TOKEN="s3same") as url:  # noqa: S106 - a made-up one
        assert f"{url} needs its token: set LESSON_SEARCH_TOKEN" in command_line.error("list")
        monkeypatch.setenv("LESSON_SEARCH_TOKEN", "wrong")
        line = command_line.error("list")
        assert f"{url} rejects the token: correct LESSON_SEARCH_TOKEN" in line
        monkeypatch.setenv("LESSON_SEARCH_TOKEN", "s3same")
        assert command_line.output("list") == ""
        other = ("--data", str(tmp_path / "other"), "--url", url)
        assert command_line.output("list", *other) == ""
        for token in ("ö", "a\nb"):
            monkeypatch.setenv("LESSON_SEARCH_TOKEN", token)
            line = command_line.error("list")
            assert "LESSON_SEARCH_TOKEN has characters that no token has" in line


def test_local_server_bypasses_the_proxy(
    command_line: CommandLine, served: LessonServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert command_line.output("list", "--data", served.folder) == ""


def test_server_writes_its_address(served: LessonServer) -> None:
    assert read_address(served.folder) == (served.url, served.process.pid)


def run_during_pause(monkeypatch: pytest.MonkeyPatch, happen: Callable[[], object]) -> list[float]:
    """Call `happen` during the client's first pause; return the durations of its pauses."""
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        if not pauses:
            happen()
        pauses.append(seconds)
        time.sleep(seconds / 10)

    clock = SimpleNamespace(monotonic=time.monotonic, sleep=sleep)
    monkeypatch.setattr("lesson_search.cli.client.time", clock)
    return pauses


def test_running_command_is_awaited(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = lock_folder(command_line.folder)
    pauses = run_during_pause(monkeypatch, lock.release)
    assert command_line.output("list") == ""
    assert pauses


@pytest.mark.parametrize("early", [False, True])
def test_starting_server_is_awaited(
    command_line: CommandLine, served: LessonServer, monkeypatch: pytest.MonkeyPatch, *, early: bool
) -> None:
    lock = lock_folder(command_line.folder)
    pauses = run_during_pause(monkeypatch, lambda: write_address(command_line.folder, served.url))
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        if early:
            write_address(command_line.folder, f"http://127.0.0.1:{deaf.getsockname()[1]}")
        assert command_line.output("list") == ""
    assert pauses
    lock.release()


def test_folder_still_in_use_is_reported(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lesson_search.cli.client.FOLDER_TIMEOUT", 0.1)
    lock = lock_folder(command_line.folder)
    assert "is in use by another process" in command_line.error("list")
    lock.release()


def test_redirects_are_not_followed() -> None:
    def redirect(request: httpx2.Request) -> httpx2.Response:
        assert request.url.host == "a"
        return httpx2.Response(307, headers={"Location": "http://b/"})

    with (
        httpx2.Client(base_url="http://a", transport=httpx2.MockTransport(redirect)) as http,
        pytest.raises(ClientError, match="answered 307 and is not"),
    ):
        ServerClient(http, "http://a").read_health()


@given(st.integers(200, 599), st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_response_is_handled(status: int, content: bytes) -> None:
    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, content=content)

    with httpx2.Client(base_url="http://a", transport=httpx2.MockTransport(answer)) as http:
        reason = ""
        try:
            assert "lesson_count" in ServerClient(http, "http://a").read_health()
        except ReportedError as error:
            reason = str(error)
    assert reason.isprintable()


@settings(max_examples=examples(50))
@given(IDS | st.sampled_from([".", "..", "../health", "a//b", "?a=b", "#", "%2F", "a\\b", "/"]))
def test_any_id_is_found(client: ServerClient, identity: str) -> None:
    # Hypothesis may draw an ID twice, and the server skips IDs that were deleted before.
    client.ingest([Lesson(identity, "Before", ("a",))], restored={0})
    client.change("lessons", identity, force=False, text="After")
    record = client.find(("lessons", identity))
    assert record is not None
    assert (record.id, record.text) == (identity, "After")
    client.remove("lessons", identity)
    assert client.find(("lessons", identity)) is None
    with pytest.raises(UnknownRecordError):
        client.remove("lessons", identity)


def test_prompt_may_contain_invalid_utf8(client: ServerClient) -> None:
    assert "lessons" in client.query("\udcff docker cache")


def test_longest_records_fit_into_one_request() -> None:
    name, path = "\U0001f600" * MAX_NAME, "\U0001f600" * MAX_SOURCE
    categories = tuple(f"{number}{'a' * (MAX_NAME - 2)}" for number in range(10, 30))
    longest = check_record(Skill(name, "\U0001f600" * MAX_TEXT, categories, name, path))
    item = json.dumps(build_item(longest), ensure_ascii=False).encode()
    assert MAX_BULK * len(item) < MAX_BODY


def test_token_that_no_header_can_hold_is_reported(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for token in ("a\nb", "a b", "tök"):
        monkeypatch.setenv("LESSON_SEARCH_TOKEN", token)
        for words in (("list", "--url", "http://127.0.0.1:9"), ("serve", "--port", "0")):
            line = command_line.error(*words)
            assert "LESSON_SEARCH_TOKEN has characters that no token has" in line
    monkeypatch.setenv("LESSON_SEARCH_TOKEN", "same")
    monkeypatch.setenv("LESSON_SEARCH_READ_TOKEN", "same")
    assert "LESSON_SEARCH_READ_TOKEN" in command_line.error("serve", "--port", "0")
