"""How the server starts, ends, and what it does when something is in its way."""

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from lesson_servers import (
    LessonServer,
    run_lesson_server,
    run_to_the_end,
    start_server,
    wait_for,
    wait_until_ready,
)

from chroma_server import ChromaServer
from embedding_services import FakeService, stand_in_for_ollama
from lesson_search.embedders.wordllama import WordLlamaEmbedder

MANY = [
    {"id": f"lesson-{n}", "text": f"Lesson {n} of many.", "categories": ["x"]} for n in range(500)
]


def test_server_keeps_lessons(tmp_path: Path) -> None:
    """What one server took the next one has, and it says where it is."""
    with run_lesson_server(tmp_path) as server:
        assert server.ask("/api/health")["lesson_count"] == 0
        added = server.ask("/api/ingest", {"text": "The Docker cache is lost by an early COPY."})
        assert added["categories"] == ["devops/docker"]
    assert server.process.returncode == 0
    with run_lesson_server(tmp_path) as server:
        assert server.ask("/api/lessons")["records"][0]["id"] == added["id"]
        assert server.ask(f"/api/lessons/{added['id']}", method="DELETE")["status"] == "deleted"


def test_graceful_stop_finishes_what_was_accepted(tmp_path: Path) -> None:
    """A bulk that was on its way when the server was told to end is answered, and kept."""
    answers = []
    with run_lesson_server(tmp_path) as server:
        sending = threading.Thread(
            target=lambda: answers.append(server.ask("/api/ingest/bulk", {"lessons": MANY}))
        )
        sending.start()
        port = int(server.url.rpartition(":")[2])
        wait_until_accepted(port)
        server.process.send_signal(signal.SIGTERM)
        sending.join()
    assert answers[0]["ingested"] == 500
    with run_lesson_server(tmp_path) as server:
        assert server.ask("/api/health")["lesson_count"] == 500


def wait_until_accepted(port: int) -> None:
    """Return once somebody is connected to a port: the server has read some of a request then."""
    connected = f":{port:04X} "
    while not any(
        line.split()[1].endswith(connected.strip()) and line.split()[3] == "01"
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
    ):
        pass


def test_killed_server_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    """After a kill in the middle of a bulk, each lesson that was acknowledged is there."""
    acknowledged: list[str] = []
    for number in range(3):
        process = start_server(tmp_path, "--port", "0")
        url = wait_until_ready(process)
        server = LessonServer(url, process)
        kept = {one["id"] for one in server.ask("/api/lessons?limit=1000")["records"]}
        assert kept.issuperset(acknowledged)
        timer = threading.Timer(0.2 + 0.1 * number, process.kill)
        timer.start()
        try:
            for first in range(0, 500, 20):
                part = [{**one, "id": f"{number}-{one['id']}"} for one in MANY[first : first + 20]]
                server.ask("/api/ingest/bulk", {"lessons": part})
                acknowledged += [str(one["id"]) for one in part]
        except OSError:
            pass
        timer.join()
        process.communicate()
    with run_lesson_server(tmp_path) as server:
        kept = {one["id"] for one in server.ask("/api/lessons?limit=1000")["records"]}
        assert kept.issuperset(acknowledged)


def test_taken_port_is_told(tmp_path: Path) -> None:
    """A server whose port is taken says so in a line, and how to choose another."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, said = run_to_the_end(tmp_path, "--port", port)
    assert (code, said.count("\n")) == (1, 1)
    assert port in said
    assert "--port" in said


def test_taken_store_is_told(tmp_path: Path) -> None:
    """A second server on a store says in a line who has it, and takes nothing from it."""
    with run_lesson_server(tmp_path) as server:
        code, said = run_to_the_end(tmp_path, "--port", "0")
        assert (code, said.count("\n")) == (1, 1)
        assert server.url in said
        assert server.ask("/api/health")["status"] == "healthy"


def test_other_addresses_need_a_token(tmp_path: Path) -> None:
    """Nobody else may reach the server without a token; with one, only who has it."""
    code, said = run_to_the_end(tmp_path, "--host", "0.0.0.0", "--port", "0")  # noqa: S104
    assert (code, said.count("\n")) == (1, 1)
    assert "LESSON_SEARCH_TOKEN" in said
    with run_lesson_server(tmp_path, "--host", "0.0.0.0", LESSON_SEARCH_TOKEN="t0ken") as server:  # noqa: S104, S106
        assert server.ask("/api/health")["status"] == 401


def test_full_disk_is_told(tmp_path: Path) -> None:
    """Where nothing more can be written, a lesson is refused in a line, and none is lost."""
    with run_lesson_server(tmp_path) as server:
        server.ask("/api/ingest", {"id": "first", "text": "First.", "categories": ["x"]})
    limit = 1024 * max(1, largest_file(tmp_path) // 1024)
    shell = f'ulimit -f {limit // 512}; exec "$@"'
    with run_lesson_server(tmp_path, prefix=("sh", "-c", shell, "sh")) as server:
        texts = [{**one, "text": f"{one['text']} " + "words " * 500} for one in MANY]
        refused = server.ask("/api/ingest/bulk", {"lessons": texts})
        assert refused["status"] == 503
        assert "\n" not in refused["detail"]
        assert server.ask("/api/query", {"prompt": "first", "min_score": 0})["lessons"]
    with run_lesson_server(tmp_path) as server:
        assert server.ask("/api/lessons/first")["text"] == "First."
        assert server.ask("/api/ingest", {"id": "second", "text": "Second."})["change"] == "added"


def largest_file(folder: Path) -> int:
    """Return how many bytes the largest file below a folder has."""
    return max(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_store_is_told(tmp_path: Path) -> None:
    """A store that cannot be written is told in a line."""
    with run_lesson_server(tmp_path):
        pass
    for path in [*tmp_path.rglob("*"), tmp_path]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        code, said = run_to_the_end(tmp_path, "--port", "0")
    finally:
        for path in [tmp_path, *tmp_path.rglob("*")]:
            path.chmod(0o700)
    assert (code, said.count("\n")) == (1, 1)
    assert str(tmp_path) in said


def test_servers_share_a_chroma(tmp_path: Path, chroma: ChromaServer) -> None:
    """What one server takes, changes and removes, another on the same Chroma finds in 5 s."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    prompt = {"prompt": "why is the docker cache lost"}
    before = ("--chroma-url", chroma.url)
    with (
        run_lesson_server(ours, before=before) as one,
        run_lesson_server(theirs, before=before) as other,
    ):
        one.ask("/api/ingest", {"id": "d", "text": "The Docker cache is lost by an early COPY."})
        wait_for(lambda: other.ask("/api/query", prompt)["lessons"], 5)
        other.ask("/api/lessons/d", {"text": "Probes need a longer timeout."}, "PUT")
        wait_for(lambda: not one.ask("/api/query", prompt)["lessons"], 5)
        one.ask("/api/lessons/d", method="DELETE")
        wait_for(lambda: other.ask("/api/health")["lesson_count"] == 0, 5)


def test_embedder_that_goes_down(tmp_path: Path, embedder: WordLlamaEmbedder) -> None:
    """With Ollama, here a stand-in, gone nothing is found, at once, and health says so."""
    options = ("--embedder", "ollama", "--embedder-url")
    prompt = {"prompt": "why is the docker cache lost"}
    lesson = {"text": "The Docker cache is lost by an early COPY."}
    with (
        closing(FakeService(stand_in_for_ollama(embedder))) as ollama,
        run_lesson_server(tmp_path, before=(*options, ollama.url)) as server,
    ):
        assert server.ask("/api/health")["ollama"] == "connected"
        server.ask("/api/ingest", lesson)
        found = server.ask("/api/query", prompt)
        assert [one["text"] for one in found["lessons"]] == [lesson["text"]]
        assert found["model"] == "nomic-embed-text:v1.5"
        ollama.close()
        assert server.ask("/api/query", prompt)["lessons"] == []
        assert server.ask("/api/query", prompt)["query_time_ms"] < 100
        health = server.ask("/api/health")
        assert (health["status"], health["ollama"]) == ("degraded", "unreachable")
        refused = server.ask("/api/ingest", {"text": "Another.", "categories": ["x"]})
        assert refused["status"] == 503
    with run_lesson_server(tmp_path, before=(*options, ollama.url)) as server:
        assert server.ask("/api/health")["status"] == "degraded"
        assert len(server.ask("/api/lessons")["records"]) == 1
    code, said = run_to_the_end(tmp_path, "--port", "0")
    assert (code, said.count("\n")) == (1, 1)
    assert "reindex" in said


def test_description_is_kept_to(tmp_path: Path) -> None:
    """Schemathesis finds no request that is answered otherwise than described, and no error."""
    with run_lesson_server(tmp_path) as server:
        done = subprocess.run(
            [
                *(str(Path(sys.executable).with_name("st")), "run", f"{server.url}/openapi.json"),
                *("--max-examples", "15", "--no-color"),
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout
