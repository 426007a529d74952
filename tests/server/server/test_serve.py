"""The server starts, stops, and reports what prevents it from starting."""

import asyncio
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hookwright_retrieval.embedders.wordllama import WordLlamaEmbedder
from lesson_search.cli.client import connect
from lesson_search.records import Lesson
from lesson_search.retrieval.calibration import Calibration, save_calibration
from lesson_search.server.serve import is_worth_logging, maintaining
from lesson_search.service.settings import Settings
from lesson_search.service.startup import open_service
from lesson_search.storage.chroma import Chroma
from lesson_search.storage.store import Store

from ...support.chroma_server import ChromaProcess
from ...support.command_line import CommandLine
from ...support.embedding_services import FakeService, stand_in_for_ollama
from ...support.lesson_server_process import (
    LessonServer,
    run_lesson_server,
    run_to_the_end,
    start_server,
    wait_for,
    wait_until_ready,
)

MANY = [
    {"id": f"lesson-{n}", "text": f"Lesson {n} of many.", "categories": ["x"]} for n in range(500)
]


@pytest.fixture
def serving(command_line: CommandLine) -> Iterator[CommandLine]:
    handler, interval = signal.getsignal(signal.SIGTERM), sys.getswitchinterval()
    yield command_line
    signal.signal(signal.SIGTERM, handler)
    sys.setswitchinterval(interval)


@pytest.mark.long
def test_graceful_stop_finishes_accepted_requests(command_line: CommandLine) -> None:
    answers = []
    with run_lesson_server(command_line.folder) as server:
        assert server.ask("/api/health")["lesson_count"] == 0
        added = server.ask("/api/ingest", {"text": "The Docker cache is lost by an early COPY."})
        assert added["categories"] == ["devops/docker"]
        sending = threading.Thread(
            target=lambda: answers.append(server.ask("/api/ingest/bulk", {"lessons": MANY}))
        )
        sending.start()
        port = int(server.url.rpartition(":")[2])
        wait_until_accepted(port)
        server.process.send_signal(signal.SIGTERM)
        sending.join()
    assert answers[0]["ingested"] == 500
    assert server.process.returncode == 0
    stored = {row["id"] for row in json.loads(command_line.output("list", "--json"))}
    assert stored == {added["id"], *(lesson["id"] for lesson in MANY)}


def wait_until_accepted(port: int) -> None:
    connected = f":{port:04X} "
    while not any(
        line.split()[1].endswith(connected.strip()) and line.split()[3] == "01"
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
    ):
        pass


@pytest.mark.long
def test_killed_server_keeps_acknowledged_records(command_line: CommandLine) -> None:
    acknowledged: list[str] = []
    for number in range(3):
        process = start_server(command_line.folder, "--port", "0")
        server = LessonServer(wait_until_ready(process), process, command_line.folder)
        stored = {record["id"] for record in server.ask("/api/lessons?limit=1000")["records"]}
        assert stored.issuperset(acknowledged)
        timer = threading.Timer(0.2 + 0.1 * number, process.kill)
        timer.start()
        try:
            for first in range(0, 500, 20):
                part = [
                    {**lesson, "id": f"{number}-{lesson['id']}"}
                    for lesson in MANY[first : first + 20]
                ]
                server.ask("/api/ingest/bulk", {"lessons": part})
                acknowledged += [str(row["id"]) for row in part]
        except OSError:
            pass
        timer.join()
        process.communicate()
    stored = {row["id"] for row in json.loads(command_line.output("list", "--json"))}
    assert stored.issuperset(acknowledged)


def test_occupied_port_is_reported(serving: CommandLine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        output = serving.error("serve", "--port", port)
    assert port in output
    assert "--port" in output


def test_running_own_server_is_reported(serving: CommandLine, served: LessonServer) -> None:
    port = served.url.rpartition(":")[2]
    for words in (["--port", port], ["--port", "0"]):
        output = serving.error("serve", *words, "--data", served.folder)
        assert f"{served.folder} is in use by the lesson server at {served.url} (process" in output
        assert "--port" not in output


def test_store_in_use_is_reported(serving: CommandLine, served: LessonServer) -> None:
    output = serving.error("serve", "--port", "0", "--data", served.folder)
    assert served.url in output
    assert served.ask("/api/health")["status"] == "healthy"


def test_other_addresses_require_a_token(serving: CommandLine) -> None:
    output = serving.error("serve", "--host", "0.0.0.0", "--port", "0")  # noqa: S104
    assert "LESSON_SEARCH_TOKEN" in output


@pytest.mark.long
def test_full_disk_is_reported(command_line: CommandLine) -> None:
    command_line.output("ingest", "-", given=b'{"id": "first", "text": "First."}')
    limit = 1024 * max(1, largest_file(command_line.folder) // 1024)
    shell = f'ulimit -f {limit // 512}; exec "$@"'
    with run_lesson_server(command_line.folder, prefix=("sh", "-c", shell, "sh")) as server:
        texts = [{**lesson, "text": f"{lesson['text']} " + "words " * 100} for lesson in MANY[:200]]
        refused = server.ask("/api/ingest/bulk", {"lessons": texts})
        assert refused["status"] == 503
        assert "\n" not in refused["detail"]
        assert server.ask("/api/query", {"prompt": "first", "min_score": 0})["lessons"]
    assert "First." in command_line.output("show", "first")
    assert command_line.output("ingest", "-", given=b'{"text": "Second."}').startswith("1 added")


def largest_file(folder: Path) -> int:
    return max(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_server_can_set_a_minimum_score(tmp_path: Path) -> None:
    with open_service(Settings(tmp_path, min_score=0.7)) as service:
        assert service.lessons.threshold == service.skills.threshold == 0.7


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_store_is_reported(tmp_path: Path) -> None:
    with open_service(Settings(tmp_path)):
        pass
    for path in [*tmp_path.rglob("*"), tmp_path]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        code, output = run_to_the_end(tmp_path, "--port", "0")
    finally:
        for path in [tmp_path, *tmp_path.rglob("*")]:
            path.chmod(0o700)
    assert (code, output.count("\n")) == (1, 1)
    assert str(tmp_path) in output


def test_shared_chroma_is_maintained(
    tmp_path: Path, empty_chroma: ChromaProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lesson_search.server.serve.CATCH_UP", 0.05)
    cache = "why is the docker cache lost"
    with (
        open_service(Settings(tmp_path / "ours", chroma_url=empty_chroma.url)) as first,
        open_service(Settings(tmp_path / "theirs", chroma_url=empty_chroma.url)) as other,
        maintaining(first),
        maintaining(other),
    ):
        first.lessons.ingest([Lesson("d", "The Docker cache is lost by an early COPY.")])
        wait_for(lambda: other.lessons.search(cache, 1))
        other.lessons.ingest([Lesson("d", "Probes need a longer timeout.")])
        wait_for(lambda: not first.lessons.search(cache, 1))
        first.lessons.remove(["d"])
        wait_for(lambda: len(other.lessons) == 0)


@pytest.mark.long
def test_servers_can_share_a_chroma(tmp_path: Path, empty_chroma: ChromaProcess) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    prompt = {"prompt": "why is the docker cache lost"}
    before = ("--chroma-url", empty_chroma.url)
    with (
        run_lesson_server(ours, before=before) as first,
        run_lesson_server(theirs, before=before) as other,
    ):
        first.ask("/api/ingest", {"id": "d", "text": "The Docker cache is lost by an early COPY."})
        wait_for(lambda: other.ask("/api/query", prompt)["lessons"], 5)
        other.ask("/api/lessons/d", {"text": "Probes need a longer timeout."}, "PUT")
        wait_for(lambda: not first.ask("/api/query", prompt)["lessons"], 5)
        first.ask("/api/lessons/d", method="DELETE")
        wait_for(lambda: other.ask("/api/health")["lesson_count"] == 0, 5)


@pytest.mark.long
def test_embedder_outage_is_handled(
    command_line: CommandLine, embedder: WordLlamaEmbedder, calibration: Calibration
) -> None:
    folder = command_line.folder
    prompt = {"prompt": "why is the docker cache lost"}
    lesson = {"text": "The Docker cache is lost by an early COPY."}
    save_calibration(calibration, "ollama/nomic-embed-text:v1.5", folder)  # stores a calibration
    with (
        closing(FakeService(stand_in_for_ollama(embedder))) as ollama,
        run_lesson_server(
            folder, before=("--embedder", "ollama", "--embedder-url", ollama.url)
        ) as server,
    ):
        assert server.ask("/api/health")["ollama"] == "connected"
        server.ask("/api/ingest", lesson)
        answer = server.ask("/api/query", prompt)
        assert [lesson["text"] for lesson in answer["lessons"]] == [lesson["text"]]
        assert answer["model"] == "nomic-embed-text:v1.5"
        ollama.close()
        assert server.ask("/api/query", prompt)["lessons"] == []
        assert server.ask("/api/query", prompt)["query_time_ms"] < 100
        health = server.ask("/api/health")
        assert (health["status"], health["ollama"]) == ("degraded", "unreachable")
        refused = server.ask("/api/ingest", {"text": "Another.", "categories": ["x"]})
        assert refused["status"] == 503
    with connect(Settings(folder, "ollama", embedder_url=ollama.url)) as client:
        assert client.read_health()["embedder"] == "down"
        assert len(list(client.list_records("lessons"))) == 1


def test_store_of_another_embedder_is_reported(serving: CommandLine) -> None:
    client = Chroma(serving.folder / "db")
    Store(client, Lesson, "ollama/nomic-embed-text:v1.5")
    client.close()
    assert "reindex" in serving.error("serve", "--port", "0")


@pytest.mark.long
def test_responses_match_the_openapi_description(tmp_path: Path, served: LessonServer) -> None:
    # The server rejects a version that does not match the lesson with status 412.
    statuses = ["2xx", "3xx", "401", "403", "404", "409", "412", "429", "5xx"]
    config = f"[checks]\npositive_data_acceptance.expected-statuses = {json.dumps(statuses)}\n"
    (tmp_path / "schemathesis.toml").write_text(config)
    st = Path(sys.executable).with_name("st")
    options = ("--no-color", "--generation-deterministic", "--max-examples", "5")
    completed = subprocess.run(
        [str(st), "run", f"{served.url}/openapi.json", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.returncode == 0, completed.stdout


def test_response_to_a_closed_client_is_not_logged() -> None:
    uvloop = pytest.importorskip("uvloop")

    async def write_to_the_closed() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            _, writer = await asyncio.open_connection(*listener.getsockname())
            writer.transport.abort()
            await writer.wait_closed()
            writer.transport.write(b"answer")

    with pytest.raises(RuntimeError) as raised:
        uvloop.run(write_to_the_closed())
    assert not is_worth_logging(build_log_record(raised.value))
    assert is_worth_logging(build_log_record(RuntimeError("another")))


def build_log_record(error: Exception) -> logging.LogRecord:
    exc_info = (type(error), error, None)
    return logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "failed", (), exc_info)
